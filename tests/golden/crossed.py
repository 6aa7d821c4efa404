"""Two crossed factors of an experiment, by SciPy and NumPy.

Writes crossed.json: integer scores of WEAVEBench's image quality by two levels of `order`, three of `format` and sample, and
what comes of them on the printed scale (a tenth): paired differences of the orders at each format; the difference of that
difference to the one at the first format, over the samples that have all four scores, with Student's interval and the p-value of
the paired t test between the two differences; and Holm's correction over all of them.

    python3 -m venv v && v/bin/pip install numpy==2.4.6 scipy==1.17.1 && v/bin/python crossed.py
"""

import json
import pathlib

import numpy as np
from scipy import stats

FORMATS = ["base", "jpg", "png"]
# Samples 16k are of the domain optics, 16k + 6 of edit.
SAMPLES = [0, 16, 32, 48, 64, 80, 6, 22, 38, 54, 70, 86, 102]
SCORES = {
    "base": {
        "base": [2, 4, 6, 8, 4, 6, 3, 5, 7, 9, 5, 4, 6],
        "switched": [3, 5, 6, 9, 5, 8, 3, 6, 8, 9, 6, 6, None],
    },
    "jpg": {
        "base": [3, 4, 5, 8, 5, 6, 2, 5, 7, 8, 5, None, 6],
        "switched": [6, 8, 8, 10, 9, 10, 4, 9, 10, 10, 9, 7, 9],
    },
    "png": {
        "base": [2, 5, 6, 7, 4, None, 3, 4, 7, 9, 6, 4, 5],
        "switched": [2, 3, 7, 7, 4, 5, 2, 5, 8, 8, 5, 3, 7],
    },
}
GROUPS = {
    "optics": {s for s in SAMPLES if s % 16 == 0},
    "edit": {s for s in SAMPLES if s % 16 == 6},
    "total": set(SAMPLES),
}


def array(form, order, members):
    own = zip(SAMPLES, SCORES[form][order])
    return np.array([np.nan if x is None else x * 0.1 for s, x in own if s in members])


def interval(x, level):
    half = stats.t.ppf(0.5 + level / 2, len(x) - 1) * stats.sem(x)
    return [x.mean() - half, x.mean() + half]


def change(form, members):
    return array(form, "switched", members) - array(form, "base", members)


def figures(one, other):
    keep = ~np.isnan(one) & ~np.isnan(other)
    d = (one - other)[keep]
    p = stats.ttest_rel(one[keep], other[keep]).pvalue
    return {"n": len(d), "value": d.mean(), "interval": interval(d, 0.95), "p": p}, d


rows, tests = {}, []
for key, members in GROUPS.items():
    rows[key] = {}
    for form in FORMATS:
        cell = {}
        found = [("difference", array(form, "switched", members), array(form, "base", members))]
        if form != "base":
            found.append(("interaction", change(form, members), change("base", members)))
        for kind, one, other in found:
            cell[kind], d = figures(one, other)
            tests.append((cell[kind], d))
        rows[key][form] = cell

ranks = np.argsort([cell["p"] for cell, _ in tests])
largest = 0.0
for rank, at in enumerate(ranks):
    cell, d = tests[at]
    largest = max(largest, min(1.0, (len(tests) - rank) * cell["p"]))
    cell["p_corrected"] = largest
    cell["corrected"] = interval(d, 1 - 0.05 / len(tests))

out = {"samples": SAMPLES, "scores": SCORES, "rows": rows, "comparisons": len(tests)}
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out, indent=1) + "\n")
