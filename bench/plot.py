# SPDX-License-Identifier: MIT
"""plot.py: curves over logarithmic axes as SVG text, side by side. A few lines, so that nothing has to be installed."""

import math

WIDTH, HEIGHT = 420, 320  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 62, 22, 34, 46
COLOURS = ["#1f6fb4", "#c1542c", "#4d8f4d"]


def _decades(values):
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def _power(k):
    return "10" + str(k).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _panel(panel, left):
    """One panel: title, x title, list of (name, [(x, y)])."""
    title, x_title, series = panel
    points = [p for _, curve in series for p in curve]
    x0, x1 = _decades([p[0] for p in points])
    y0, y1 = _decades([p[1] for p in points])
    x1, y1 = max(x1, x0 + 1), max(y1, y0 + 1)
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(p):
        return (
            left + LEFT + wide * (math.log10(p[0]) - x0) / (x1 - x0),
            TOP + high * (1 - (math.log10(p[1]) - y0) / (y1 - y0)),
        )

    out = ['<text x="%g" y="20" font-weight="bold">%s</text>' % (left + LEFT, title)]
    for k in range(x0, x1 + 1):
        x, _ = at((10.0**k, 10.0**y0))
        out.append('<path d="M%g %gv%g" stroke="#ddd"/>' % (x, TOP, high))
        out.append('<text x="%g" y="%g" text-anchor="middle">%s</text>' % (x, TOP + high + 18, _power(k)))
    for k in range(y0, y1 + 1):
        _, y = at((10.0**x0, 10.0**k))
        out.append('<path d="M%g %gh%g" stroke="#ddd"/>' % (left + LEFT, y, wide))
        out.append('<text x="%g" y="%g" text-anchor="end">%s</text>' % (left + LEFT - 6, y + 4, _power(k)))
    out.append('<text x="%g" y="%g" text-anchor="middle">%s</text>' % (left + LEFT + wide / 2, HEIGHT - 8, x_title))
    for k, ((name, curve), colour) in enumerate(zip(series, COLOURS)):
        places = [at(p) for p in curve]
        path = "M" + "L".join("%.1f %.1f" % p for p in places)
        out.append('<path d="%s" fill="none" stroke="%s" stroke-width="2"/>' % (path, colour))
        out += ['<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' % (*p, colour) for p in places]
        out.append('<text x="%g" y="%g" fill="%s">%s</text>' % (left + LEFT + 10, TOP + 18 + 16 * k, colour, name))
    return out


def log_log(panels):
    """SVG of panels (title, x title, [(name, [(x, y), ...]), ...]); all numbers above 0."""
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" fill="#222">'
        % (WIDTH * len(panels), HEIGHT),
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for k, panel in enumerate(panels):
        lines += _panel(panel, k * WIDTH)
    return "\n".join([*lines, "</svg>", ""])
