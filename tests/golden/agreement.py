"""Writes agreement.json: what SciPy, scikit-learn and the `krippendorff` package compute for small sets of ratings.

pip install scipy==1.17.1 scikit-learn==1.9.1 krippendorff==0.9.0
python agreement.py > agreement.json
"""
import json
import sys

import krippendorff
import numpy as np
from scipy import stats
from sklearn.metrics import cohen_kappa_score, confusion_matrix

STEPS = list(range(11))

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section E: four observers, twelve units.
# The paper prints ordinal 0.815 and interval 0.849.
PUBLISHED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def made(raters, units, seed, gaps):
    """Ratings on 0 to 10 by a linear congruence, so that nobody needs a generator of random numbers."""
    state = seed
    table = []
    for rater in range(raters):
        row = []
        for unit in range(units):
            state = (1103515245 * state + 12345) % 2**31
            truth = unit * 7 % 11
            row.append(None if (state >> 16) % 10 < gaps else min(10, max(0, truth + (state >> 20) % 5 - 2)))
        table.append(row)
    return table


TABLES = {
    "published": PUBLISHED,
    "two raters": made(2, 40, 1, 0),
    "three raters with gaps": made(3, 60, 2, 3),
    "five raters, mostly gaps": made(5, 25, 3, 7),
    "opposite": [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]],
    "halves": [[0.5, 1, 1.5, 2, 0.5], [1, 1, 1.5, 2.5, 0]],
    "nobody twice": [[1, None, 2], [None, 3, None]],
    "constant": [[4, 4, 4], [4, 4, None]],
    "one rater": [[1, 2, 3]],
}

PAIRS = {
    "two raters": (made(2, 40, 1, 0)[0], made(2, 40, 1, 0)[1]),
    "ties": ([9, 4, 6, 7, 8, 5, 5, 6, 6, 2, 10, 1], [7, 5, 5, 6, 6, 5, 4, 6, 8, 3, 9, 2]),
    "opposite": ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0]),
    "same": ([3, 1, 4, 1, 5], [3, 1, 4, 1, 5]),
    "one side constant": ([3, 3, 3, 3], [1, 3, 5, 3]),
    "shifted": ([0, 1, 2, 3, 4, 5], [5, 6, 7, 8, 9, 10]),
}


def units(table):
    """The scores of each unit, by raters in order."""
    return [[float(row[at]) for row in table if row[at] is not None] for at in range(len(table[0]))]


def alpha(table, level):
    data = np.array([[np.nan if x is None else x for x in row] for row in table], dtype=float)
    try:
        value = float(krippendorff.alpha(reliability_data=data, level_of_measurement=level))
    except (ValueError, AssertionError):
        return None
    return value if np.isfinite(value) else None


def number(value):
    return float(value) if np.isfinite(value) else None


def alphas(level):
    return [{"id": name, "units": units(table), "expected": alpha(table, level)} for name, table in TABLES.items()]


def pairs(figure):
    with np.errstate(all="ignore"):
        return [{"id": name, "a": list(map(float, a)), "b": list(map(float, b)), "expected": figure(a, b)} for name, (a, b) in PAIRS.items()]


def group(name, tolerance, cases):
    return {"group": name, "tolerance": tolerance, "cases": cases}


json.dump(
    {
        "groups": [
            group("alpha_interval", 1e-12, alphas("interval")),
            group("alpha_ordinal", 1e-12, alphas("ordinal")),
            group("kappa", 1e-12, pairs(lambda a, b: number(cohen_kappa_score(a, b, labels=STEPS)))),
            group("weighted_kappa", 1e-12, pairs(lambda a, b: number(cohen_kappa_score(a, b, labels=STEPS, weights="quadratic")))),
            group("confusion", 0, pairs(lambda a, b: confusion_matrix(a, b, labels=STEPS).tolist())),
            group("pearson", 1e-12, pairs(lambda a, b: number(stats.pearsonr(a, b)[0]))),
            group("spearman", 1e-12, pairs(lambda a, b: number(stats.spearmanr(a, b)[0]))),
            group(
                "pearson_interval",
                1e-12,
                [case for case in pairs(lambda a, b: [number(end) for end in stats.pearsonr(a, b).confidence_interval(0.95)]) if case["id"] in ("two raters", "ties")],
            ),
        ]
    },
    sys.stdout,
    separators=(",", ":"),
)
print()
