# SPDX-License-Identifier: MIT
"""Results through other programs, where they are installed: .h5 by h5py and by each engine of xarray, .csv by pandas.

The values must be those that csv.DictReader finds in the .csv, whose digits give the doubles back. Debian's packages
(`scripts/bootstrap readers`) belong to Debian's python3: where this interpreter has none of them, that one is asked."""
import csv
import importlib.util
import math
import os
import pathlib
import subprocess
import sys
import tempfile

DEBIAN = "/usr/bin/python3"
SLUICE, SOURCE = os.environ["SLUICE"], pathlib.Path(os.environ["SLUICE_SOURCE"])


def run(folder):
    subprocess.run([SLUICE, "run", SOURCE / "examples/town.inp", "-q", "-o", folder / "t.h5", "-o", folder / "t.csv"], check=True)
    values = {}
    with open(folder / "t.csv", newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            for key, column in ("pressure", "pressure_m"), ("head", "head_m"), ("flow", "flow_L_per_s"):
                if row[column]:
                    values[row["element"] + "_" + key, float(row["time_s"]), row["id"]] = float(row[column])
    return values


def check_h5py(path, values):
    import h5py
    with h5py.File(path) as f:
        ids = {side: [i.decode() for i in f[side][:]] for side in ("node", "link")}
        times = list(f["time"][:])
        n = 0
        for name in "node_pressure", "node_head", "link_flow":
            side = name[:4]
            assert f[name].dtype == "<f8" and f[name].shape == (len(times), len(ids[side])), f[name]
            assert [d[0].name for d in f[name].dims] == ["/time", "/" + side]
            assert f[name].attrs["sluice_role"] == "quantity" and f[name].attrs["sluice_of"] == side
            for t, row in zip(times, f[name][:]):
                for i, x in zip(ids[side], row):
                    assert values[name, t, i] == x, (name, t, i, x)
                    n += 1
        assert n == len(values) > 0, (n, len(values))
        assert f["node_pressure"].attrs["units"] == "m" and f["time"].attrs["units"] == "s"
        status = f["link_status"]
        assert status.dtype == "i1" and len(status.attrs["flag_meanings"].split(" ")) == len(status.attrs["flag_values"])
        assert f.attrs["complete"] == 1 and f.attrs["Conventions"] == "CF-1.8"
        assert len(f["event"]) == len(f["event_time"]) == len(f["event_kind"]) > 0


def check_xarray(path, values, engine):
    import xarray
    with xarray.open_dataset(path, engine=engine, decode_times=False) as d:
        for (name, t, i), x in values.items():
            assert float(d[name].sel({"time": t, name[:4]: i})) == x, (name, t, i)
            break
        for name in "node_pressure", "link_flow":
            assert d[name].dims == ("time", name[:4])
            for t in d["time"].values:
                for i, x in zip(d[name[:4]].values, d[name].sel(time=t).values):
                    assert values[name, float(t), str(i)] == x, (name, t, i)


def check_pandas(path, values):
    import pandas
    table = pandas.read_csv(path, float_precision="round_trip")
    n = 0
    for name in "node_pressure", "node_head", "link_flow":
        side, column = name[:4], {"node_pressure": "pressure_m", "node_head": "head_m", "link_flow": "flow_L_per_s"}[name]
        rows = table[table["element"] == side]
        assert rows[column].dtype == "float64", rows[column].dtype
        for t, i, x in zip(rows["time_s"], rows["id"], rows[column]):
            assert values[name, float(t), i] == x, (name, t, i, x)
            n += 1
    assert n == len(values) > 0, (n, len(values))


def main():
    has = {name: importlib.util.find_spec(name) is not None for name in ("h5py", "xarray", "netCDF4", "h5netcdf", "pandas")}
    if not any(has.values()) and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN) and os.path.exists(DEBIAN):
        os.execv(DEBIAN, [DEBIAN, __file__])
    if not has["h5py"] and not has["xarray"] and not has["pandas"]:
        print("none of h5py, xarray and pandas is installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        values = run(pathlib.Path(folder))
        path = pathlib.Path(folder) / "t.h5"
        checks = []
        if has["h5py"]:
            checks.append(lambda: check_h5py(path, values))
        if has["pandas"]:
            checks.append(lambda: check_pandas(path.with_suffix(".csv"), values))
        for engine, module in ("netcdf4", "netCDF4"), ("h5netcdf", "h5netcdf"):
            if has["xarray"] and has[module]:
                checks.append(lambda engine=engine: check_xarray(path, values, engine))
            else:
                print("skipped xarray by %s, which is not installed" % engine)
        for check in checks:
            check()
            key = "node_pressure", 3600.0, "J1"
            right = values[key]
            values[key] = math.nextafter(right, math.inf)  # one unit in the last digit must be seen
            try:
                check()
            except AssertionError:
                values[key] = right
            else:
                raise SystemExit("a value that differs is not seen")
    return 0


if __name__ == "__main__":
    sys.exit(main())
