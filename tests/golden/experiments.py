"""Levels of a factor against the first one, by SciPy and NumPy.

Writes experiments.json: integer scores of WEAVEBench's image quality by level and sample, and what comes of them on the
printed scale (a tenth): means with intervals, paired differences with intervals at 95 % and at Bonferroni's level over all
differences, p-values of the paired t test with Holm's correction, and averages over two domains whose standard errors add up
in squares, with Welch's and Satterthwaite's degrees of freedom.

    python3 -m venv v && v/bin/pip install numpy==2.4.6 scipy==1.17.1 && v/bin/python experiments.py
"""

import json
import pathlib

import numpy as np
from scipy import stats

LEVELS = ["base", "b", "c"]
# Samples 16k lie in the domain optics, 16k + 6 in edit.
SAMPLES = [0, 16, 32, 48, 64, 80, 6, 22, 38, 54, 70, 86, 102]
SCORES = {
    "base": [2, 4, 6, 8, 4, 6, 3, 5, 7, 9, 5, 4, 6],
    "b": [3, 5, 6, 10, 5, 8, 3, 6, 9, 9, 6, 6, None],
    "c": [2, 3, 7, 7, 4, None, 2, 5, 8, 8, 5, 3, 7],
}
SCALE = 0.1


def interval(x, level):
    mean, error = x.mean(), stats.sem(x)
    half = stats.t.ppf(0.5 + level / 2, len(x) - 1) * error
    return [mean - half, mean + half]


def holm(p):
    order = np.argsort(p)
    adjusted, largest = [0.0] * len(p), 0.0
    for rank, at in enumerate(order):
        largest = max(largest, min(1.0, (len(p) - rank) * p[at]))
        adjusted[at] = largest
    return adjusted


def column(level, members):
    return {s: SCORES[level][i] * SCALE for i, s in enumerate(SAMPLES) if s in members and SCORES[level][i] is not None}


def pairs(level, members):
    a, b = column("base", members), column(level, members)
    both = [s for s in SAMPLES if s in a and s in b]
    return np.array([a[s] for s in both]), np.array([b[s] for s in both])


GROUPS = {
    "optics": {s for s in SAMPLES if s % 16 == 0},
    "edit": {s for s in SAMPLES if s % 16 == 6},
    "total": set(SAMPLES),
}

rows, tests = {}, []
for key, members in GROUPS.items():
    row = {}
    for level in LEVELS:
        own = np.array(list(column(level, members).values()))
        cell = {"n": len(own), "mean": own.mean(), "interval": interval(own, 0.95)}
        if level != "base":
            a, b = pairs(level, members)
            t = stats.ttest_rel(b, a)
            cell["difference"] = {
                "n": len(a),
                "value": (b - a).mean(),
                "interval": interval(b - a, 0.95),
                "p": t.pvalue,
                "relative": (b - a).mean() / a.mean(),
            }
            tests.append((cell["difference"], b - a))
        row[level] = cell
    rows[key] = row

for (cell, d), p in zip(tests, holm([cell["p"] for cell, _ in tests])):
    cell["p_corrected"] = p
    cell["corrected"] = interval(d, 1 - 0.05 / len(tests))

averages = {}
# The benchmark has 6 dialogues of optics and 13 of edit, as its authors count them.
for name, weights in {"plain": [0.5, 0.5], "weighted": [6 / 19, 13 / 19]}.items():
    averages[name] = {}
    for level in ("b", "c"):
        d = [np.subtract(*reversed(pairs(level, GROUPS[key]))) for key in ("optics", "edit")]
        parts = np.array([w * w * x.var(ddof=1) / len(x) for w, x in zip(weights, d)])
        df = parts.sum() ** 2 / sum(p * p / (len(x) - 1) for p, x in zip(parts, d))
        value = sum(w * x.mean() for w, x in zip(weights, d))
        half = stats.t.ppf(0.975, df) * np.sqrt(parts.sum())
        averages[name][level] = {
            "value": value,
            "interval": [value - half, value + half],
            "mean": sum(w * rows[key][level]["mean"] for w, key in zip(weights, ("optics", "edit"))),
        }

out = {"samples": SAMPLES, "scores": SCORES, "rows": rows, "averages": averages, "comparisons": len(tests)}
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out, indent=1) + "\n")
