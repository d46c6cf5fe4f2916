# SPDX-License-Identifier: MIT
"""HDF5 results through other programs: h5py, and xarray by each of its engines, where they are installed.

The values must be those of the .csv, whose digits give the doubles back."""
import csv
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

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


def main():
    if "hdf5" not in os.environ["SLUICE_WITH"]:
        print("the program was built without HDF5")
        return 77
    has = {name: importlib.util.find_spec(name) is not None for name in ("h5py", "xarray", "netCDF4", "h5netcdf")}
    if not has["h5py"] and not has["xarray"]:
        print("neither h5py nor xarray is installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        values = run(pathlib.Path(folder))
        path = pathlib.Path(folder) / "t.h5"
        if has["h5py"]:
            check_h5py(path, values)
            values["node_head", 0.0, "J1"] += 1e-12  # must be seen
            try:
                check_h5py(path, values)
            except AssertionError:
                values["node_head", 0.0, "J1"] -= 1e-12
            else:
                raise SystemExit("a value that differs is not seen")
        for engine, module in ("netcdf4", "netCDF4"), ("h5netcdf", "h5netcdf"):
            if has["xarray"] and has[module]:
                check_xarray(path, values, engine)
            else:
                print("skipped xarray by %s, which is not installed" % engine)
    return 0


if __name__ == "__main__":
    sys.exit(main())
