# SPDX-License-Identifier: MIT
"""Problems of the Test Set for IVP Solvers (Mazzia and Magherini 2008) as automata, written as they are published, with the values at their
end that the set gives (computed by RADAU, PSIDE and others with tolerances of 1e-12 to 1e-19). Algebraic variables are guesses, what is
known is fixed, and the rest starts from what the equations leave open."""
import math
import os
import subprocess
import sys
import tempfile


def yaml(starts, rows, end, tolerance, absolute, run=""):
    variables = "".join(f"  {name}: {text}\n" for name, text in starts.items())
    text = f"sluice: automaton/1\ncontinuous:\n{variables}activities:\n" + "".join(f"  - equation: '{row}'\n" for row in rows)
    return text + f"run: {{end: {end!r}, report: {end!r}, tolerance: {tolerance}, absolute: {absolute}{run}}}\n"


def fixed(value):
    return f"{{fixed: {value!r}}}"


def guess(value):
    return f"{{guess: {value!r}}}"


def robertson():
    rows = ["der(a) = -0.04*a + 1e4*b*c", "der(b) = 0.04*a - 1e4*b*c - 3e7*b^2", "a + b + c = 1"]
    starts = {"a": fixed(1), "b": "{fixed: 0, nominal: 1e-5}", "c": guess(0.5)}
    return yaml(starts, rows, 1e11, 1e-10, 1e-17), [0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050], 1e-7


def hires():
    rows = ["der(a) = -1.71*a + 0.43*b + 8.32*c + 0.0007", "der(b) = 1.71*a - 8.75*b", "der(c) = -10.03*c + 0.43*d + 0.035*e",
            "der(d) = 8.32*b + 1.71*c - 1.12*d", "der(e) = -1.745*e + 0.43*(f + g)", "flow = 280*f*h",
            "der(f) = -flow + 0.69*d + 1.71*e - 0.43*f + 0.69*g", "der(g) = flow - 1.81*g", "der(h) = -der(g)"]
    starts = {name: fixed(v) for name, v in zip("abcdefgh", [1, 0, 0, 0, 0, 0, 0, 0.0057])}
    starts["flow"] = guess(3)
    end = [0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2, 0.2386356198831331e-2,
           0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2]
    return yaml(starts, rows, 321.8122, 1e-10, 1e-14), end, 1e-8


def pollution():
    k = [0.35, 26.6, 1.23e4, 8.6e-4, 8.2e-4, 1.5e4, 1.3e-4, 2.4e4, 1.65e4, 9e3, 0.022, 1.2e4, 1.88, 1.63e4, 4.8e6, 3.5e-4, 0.0175,
         1e8, 4.44e11, 1240.0, 2.1, 5.78, 0.0474, 1780.0, 3.12]
    reactants = [(1,), (2, 4), (5, 2), (7,), (7,), (7, 6), (9,), (9, 6), (11, 2), (11, 1), (13,), (10, 2), (14,), (1, 6), (3,), (4,),
                 (4,), (16,), (16,), (17, 6), (19,), (19,), (1, 4), (19, 1), (20,)]
    balance = [(-1, -10, -14, -23, -24, 2, 3, 9, 11, 12, 22, 25), (-2, -3, -9, -12, 1, 21), (-15, 1, 17, 19, 22), (-2, -16, -17, -23, 15),
               (-3, 4, 4, 6, 7, 13, 20), (-6, -8, -14, -20, 3, 18, 18), (-4, -5, -6, 13), (4, 5, 6, 7), (-7, -8), (-12, 7, 9),
               (-9, -10, 8, 11), (9,), (-11, 10), (-13, 12), (14,), (-18, -19, 16), (-20,), (20,), (-21, -22, -24, 23, 25), (-25, 24)]
    rows = [f"r{i + 1} = {k[i]!r}*" + "*".join(f"y{j}" for j in of) for i, of in enumerate(reactants)]
    rows += [f"der(y{i + 1}) = 0" + "".join(f" {'-' if r < 0 else '+'} r{abs(r)}" for r in of) for i, of in enumerate(balance)]
    start = {2: 0.2, 4: 0.04, 7: 0.1, 8: 0.3, 9: 0.01, 17: 0.007}
    starts = {f"y{i}": fixed(start.get(i, 0)) for i in range(1, 21)}
    starts.update({f"r{i}": guess(0) for i in range(1, 26)})
    end = [0.5646255480022769e-1, 0.1342484130422339, 0.4139734331099427e-8, 0.5523140207484359e-2, 0.2018977262302196e-6,
           0.1464541863493966e-6, 0.7784249118997964e-1, 0.3245075353396018, 0.7494013383880406e-2, 0.1622293157301561e-7,
           0.1135863833257075e-7, 0.2230505975721359e-2, 0.2087162882798630e-3, 0.1396921016840158e-4, 0.8964884856898295e-2,
           0.4352846369330103e-17, 0.6899219696263405e-2, 0.1007803037365946e-3, 0.1772146513969984e-5, 0.5682943292316392e-4]
    return yaml(starts, rows, 60.0, 1e-10, 1e-22), end, 1e-8


def akzo_nobel():
    rows = ["r1 = 18.7*a^4*sqrt(b)", "r2 = 0.58*c*d", "r3 = 0.58/34.4*a*e", "r4 = 0.09*a*d^2", "r5 = 0.42*f^2*sqrt(b)",
            "inflow = 3.3*(0.9/737 - b)", "der(a) = -2*r1 + r2 - r3 - r4", "der(b) = -r1/2 - r4 - r5/2 + inflow", "der(c) = r1 - r2 + r3",
            "der(d) = -r2 + r3 - 2*r4", "der(e) = r2 - r3 + r5", "f = 115.83*a*d"]
    starts = {name: fixed(v) for name, v in zip("abcde", [0.444, 0.00123, 0, 0.007, 0])}
    starts.update({"f": guess(1), "inflow": guess(0), **{f"r{i}": guess(0) for i in range(1, 6)}})
    end = {"a": 0.1150794920661702, "b": 0.1203831471567715e-2, "c": 0.1611562887407974, "d": 0.3656156421249283e-3,
           "e": 0.1708010885264404e-1, "f": 0.4873531310307455e-2}
    return yaml(starts, rows, 180.0, 1e-10, 1e-13), end, 1e-7


def transistor_amplifier():
    """Node equations whose capacitors hold differences of derivatives: their matrix has rank 5 of 8."""
    base = "1e-6*(exp((y{} - y{})/0.026) - 1)"
    one, two = base.format(2, 3), base.format(5, 6)
    rows = ["1e-6*(der(y1) - der(y2)) = (0.1*sin(628.3185307179586*t) - y1)/1000", f"1e-6*(der(y2) - der(y1)) = 6/9000 - 2*y2/9000 - 0.01*{one}",
            f"2e-6*der(y3) = {one} - y3/9000", f"3e-6*(der(y4) - der(y5)) = (6 - y4)/9000 - 0.99*{one}",
            f"3e-6*(der(y5) - der(y4)) = 6/9000 - 2*y5/9000 - 0.01*{two}", f"4e-6*der(y6) = {two} - y6/9000",
            f"5e-6*(der(y7) - der(y8)) = (6 - y7)/9000 - 0.99*{two}", "5e-6*(der(y8) - der(y7)) = -y8/9000"]
    starts = dict(zip([f"y{i}" for i in range(1, 9)], [guess(0.3), fixed(3), fixed(3), guess(5), fixed(3), fixed(3), fixed(6), guess(1)]))
    end = [-0.5562145012262709e-2, 0.3006522471903042e1, 0.2849958788608128e1, 0.2926422536206241e1, 0.2704617865010554e1,
           0.2761837778393145e1, 0.4770927631616772e1, 0.1236995868091548e1]
    return yaml(starts, rows, 0.2, 1e-9, 1e-10), end, 5e-5


def car_axis():
    rows = ["yb = 0.1*sin(10*t)", "xb = sqrt(1 - yb^2)", "der(xl) = ul", "der(yl) = vl", "der(xr) = ur", "der(yr) = vr",
            "ll = sqrt(xl^2 + yl^2)", "lr = sqrt((xr - xb)^2 + (yr - yb)^2)",
            "5e-4*der(ul) = (0.5 - ll)*xl/ll + p*xb + 2*q*(xl - xr)", "5e-4*der(vl) = (0.5 - ll)*yl/ll + p*yb + 2*q*(yl - yr) - 5e-4",
            "5e-4*der(ur) = (0.5 - lr)*(xr - xb)/lr - 2*q*(xl - xr)", "5e-4*der(vr) = (0.5 - lr)*(yr - yb)/lr - 2*q*(yl - yr) - 5e-4",
            "xb*xl + yb*yl = 0", "(xl - xr)^2 + (yl - yr)^2 = 1"]
    starts = {"xl": guess(0.1), "yl": fixed(0.5), "xr": guess(0.8), "yr": fixed(0.5), "ul": guess(0), "vl": fixed(0), "ur": guess(0),
              "vr": fixed(0), "p": guess(0), "q": guess(0), "yb": guess(0), "xb": guess(1), "ll": guess(1), "lr": guess(1)}
    end = dict(zip(["xl", "yl", "xr", "yr", "ul", "vl", "ur", "vr", "p", "q"],
                   [0.493455784275402809122e-1, 0.496989460230171153861, 0.104174252488542151681e1, 0.373911027265361256927,
                    -0.770583684040972357970e-1, 0.744686658723778553466e-2, 0.175568157537232222276e-1, 0.770341043779251976443,
                    -0.473688659084893324729e-2, -0.110468033125734368808e-2]))
    return yaml(starts, rows, 3.0, 1e-9, 1e-11), end, 3e-5


def ring_modulator():
    rows = ["u1 = 0.5*sin(6283.185307179586*t)", "u2 = 2*sin(62831.85307179586*t)"]
    drops = ["y3 - y5 - y7 - u2", "-y4 + y6 - y7 - u2", "y4 + y5 + y7 + u2", "-y3 - y6 + y7 + u2"]
    rows += [f"q{i + 1} = 40.67286402e-9*(exp(17.7493332*({d})) - 1)" for i, d in enumerate(drops)]
    rows += ["1.6e-8*der(y1) = y8 - y10/2 + y11/2 + y14 - y1/25000", "1.6e-8*der(y2) = y9 - y12/2 + y13/2 + y15 - y2/25000",
             "2e-12*der(y3) = y10 - q1 + q4", "2e-12*der(y4) = -y11 + q2 - q3", "2e-12*der(y5) = y12 + q1 - q3",
             "2e-12*der(y6) = -y13 - q2 + q4", "1e-8*der(y7) = -y7/50 + q1 + q2 - q3 - q4", "4.45*der(y8) = -y1", "4.45*der(y9) = -y2",
             "5e-4*der(y10) = y1/2 - y3 - 17.3*y10", "5e-4*der(y11) = -y1/2 + y4 - 17.3*y11", "5e-4*der(y12) = y2/2 - y5 - 17.3*y12",
             "5e-4*der(y13) = -y2/2 + y6 - 17.3*y13", "2e-3*der(y14) = -y1 + u1 - 86.3*y14", "2e-3*der(y15) = -y2 - 636.3*y15"]
    starts = {f"y{i}": "{fixed: 0}" if i < 8 else "{fixed: 0, nominal: 1e-3}" for i in range(1, 16)}
    starts.update({name: guess(0) for name in ["u1", "u2", "q1", "q2", "q3", "q4"]})
    end = [-0.2339057358486745e-1, -0.7367485485540825e-2, 0.2582956709291169, -0.4064465721283450, -0.4039455665149794, 0.2607966765422943,
           0.1106761861269975, 0.2939904342435596e-6, -0.2840029933642329e-7, 0.7267198267264553e-3, 0.7929487196960840e-3,
           -0.7255283495698965e-3, -0.7941401968526521e-3, 0.7088495416976114e-4, 0.2390059075236570e-4]
    # at rest at the beginning, and both voltages are zero at the end: without a bound one step would do
    return yaml(starts, rows, 1e-3, 1e-8, 1e-10, ", longest step: 1e-6"), end, 1e-3  # currents of 3e-7 A beside others of 1e-3 A


def fekete():
    """Twenty points that repel each other on a sphere, to rest: index 3, 160 equations."""
    n, rows, starts = 20, [], {}
    rings = [(range(1, 4), 0, 3, 13, 3 / 8), (range(4, 11), 3, 7, 29, 1 / 8), (range(11, 17), 10, 6, 7, -2 / 15),
             (range(17, 21), 17, 4, 17, -3 / 10)]
    for points, first, share, shift, height in rings:
        for i in points:
            a, b = 2 * math.pi * (i - first) / share + math.pi / shift, math.pi * height
            at = {"x": math.cos(a) * math.cos(b), "y": math.sin(a) * math.cos(b), "z": math.sin(b)}
            starts.update({f"{c}{i}": f"{{start: {v!r}}}" for c, v in at.items()})
    starts.update({f"{c}{i}": "{start: 0}" for c in "uvw" for i in range(1, n + 1)})
    starts.update({f"l{i}": guess(-4) for i in range(1, n + 1)})
    starts.update({f"d{i}_{j}": guess(1) for i in range(1, n + 1) for j in range(i + 1, n + 1)})
    for i in range(1, n + 1):
        rows += [f"d{i}_{j} = (x{i} - x{j})^2 + (y{i} - y{j})^2 + (z{i} - z{j})^2" for j in range(i + 1, n + 1)]
        for c, speed in zip("xyz", "uvw"):
            force = "".join(f" + ({c}{i} - {c}{j})/d{min(i, j)}_{max(i, j)}" for j in range(1, n + 1) if j != i)
            rows += [f"der({c}{i}) = {speed}{i}", f"der({speed}{i}) = -0.5*{speed}{i} + 2*l{i}*{c}{i}{force}"]
        rows.append(f"x{i}^2 + y{i}^2 + z{i}^2 = 1")
    end = [-0.4070263380333202, 0.3463758772791802, 0.8451942450030429, 0.07752934752521549, -0.2628662719972299, 0.9617122871829146,
           0.7100577833343567, 0.1212948055586120, 0.6936177005172217, 0.2348267744557627, 0.7449277976923311, 0.6244509285956391,
           -0.4341114738782885, 0.8785430442262876, 0.1992720444237660, -0.9515059600312596, 0.2203508762787005, 0.2146669498274008]
    names = [f"{c}{i}" for i in range(1, 7) for c in "xyz"]
    return yaml(starts, rows, 1000.0, 1e-7, 1e-9), {**dict(zip(names, end)), **{f"l{i}": -4.75 for i in range(1, n + 1)}}, 1e-5


def largest_error(problem, folder):
    """Relative to the values at the end."""
    text, end, accuracy = problem()
    model, table = os.path.join(folder, "a.yaml"), os.path.join(folder, "a.csv")
    with open(model, "w") as f:
        f.write(text)
    done = subprocess.run([os.environ["SLUICE"], "run", model, "-o", table], capture_output=True, text=True)
    if done.returncode != 0:
        print((done.stdout + done.stderr)[-2000:])
        return math.inf, accuracy
    with open(table) as f:
        lines = f.read().split()
    last = dict(zip(lines[0].split(","), map(float, lines[-1].split(","))))
    end = end if isinstance(end, dict) else dict(zip(lines[0].split(",")[1:], end))
    return max(abs(last[name] - v) / abs(v) for name, v in end.items()), accuracy


def main(problems):
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for problem in problems:
            error, accuracy = largest_error(problem, folder)
            print(f"{problem.__name__}: {error:.2g}, at most {accuracy:.2g}", flush=True)
            bad += not error <= accuracy
    return 1 if bad else 0
