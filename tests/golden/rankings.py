"""Writes rankings.json: what SciPy computes of two lists, their orders, and intervals at 90, 95 and 99 %.

The exact p-value of Spearman's rho is `permutation_test` over all pairings, two-sided as SciPy has it: twice the smaller tail.
The lists named after a table are printed averages of MICON-Bench's paper: Tables 1 and 10 for the two judges, Table 12 for people.

pip install numpy==2.4.6 scipy==1.17.1
python rankings.py > rankings.json
"""
import json
import math

import numpy as np
import scipy
from scipy import stats

LISTS = {
    "same": ([1, 2, 3, 4, 5], [2, 4, 6, 8, 9]),
    "opposite": ([1, 2, 3, 4, 5], [9, 7, 5, 3, 1]),
    "one exchange": ([5, 4, 3, 2], [5, 3, 4, 2]),
    "two": ([1, 2], [7, 5]),
    "three": ([1, 2, 3], [2, 3, 1]),
    "a tie on one side": ([1, 2, 2, 3, 5], [2, 1, 4, 3, 5]),
    "ties on both sides": ([1, 2, 2, 3, 3, 3], [2, 2, 1, 4, 4, 3]),
    "one apart from ties": ([1, 1, 1, 1, 5], [2, 2, 2, 9, 9]),
    "eight": ([3.5, 1.25, 7, 9, 2, 8, 4, 6], [1, 3, 6, 9.5, 4, 5, 2, 8]),
    "nine with ties": ([1, 2, 3, 4, 5, 6, 6, 8, 9], [3, 1, 1, 4, 7, 6, 5, 9, 9]),
    "constant": ([3, 3, 3], [1, 2, 3]),
    "one": ([3], [4]),
    "micon tables 1 and 10": (
        [89.25, 91.51, 44.76, 75.56, 72.96, 73.55, 76.31, 67.83, 69.21],
        [86.63, 90.77, 43.87, 75.26, 77.26, 73.78, 78.29, 69.38, 71.22],
    ),
}

# More than nine: no exact p-value.
LONG = {
    "micon table 12": (
        [90.61, 89.17, 85.17, 74.08, 74.18, 71.07, 71.82, 63.88, 61.75, 41.84],
        [92.42, 89.15, 85.68, 75.62, 74.58, 71.42, 72.26, 64.58, 62.44, 41.62],
    ),
    "twelve": ([9, 4, 6, 7, 8, 5, 5, 6, 6, 2, 10, 1], [7, 5, 5, 6, 6, 5, 4, 6, 8, 3, 9, 2]),
}

RUNS = {
    "micon stability": [68.47, 68.51, 68.48, 68.51, 68.47],
    "two": [3, 4],
    "equal": [0.1, 0.1, 0.1],
    "one": [5],
}

LEVELS = (90, 95, 99)


def number(value):
    return float(value) if math.isfinite(value) else None


def rho(a, b):
    return number(stats.spearmanr(a, b).statistic) if len(a) > 1 else None


def exact_p(a, b):
    if rho(a, b) is None:
        return None
    x, y = stats.rankdata(a), stats.rankdata(b)
    y = (y - y.mean()) / (np.std(x) * np.std(y) * len(x))
    found = stats.permutation_test((x,), lambda x, axis: (x * y).sum(axis=axis), vectorized=True, permutation_type="pairings", n_resamples=np.inf)
    assert abs(found.statistic - rho(a, b)) < 1e-12
    return float(found.pvalue)


def runs(averages):
    if len(averages) < 2:
        return None
    return {"largest": max(averages) - min(averages), "sd": float(np.std(averages, ddof=1)), "error": float(stats.sem(averages))}


def intervals(a, b, level):
    """Pearson's by SciPy, Spearman's by Bonett and Wright, of the mean absolute difference by Student's t."""
    z = stats.norm.ppf(0.5 + level / 200)
    n, r = len(a), stats.spearmanr(a, b).statistic
    half = z * math.sqrt((1 + r * r / 2) / (n - 3))
    sizes = np.abs(np.array(a, float) - np.array(b, float))
    low, high = stats.t.interval(level / 100, n - 1, sizes.mean(), stats.sem(sizes))
    return {
        "pearson": [float(end) for end in stats.pearsonr(a, b).confidence_interval(level / 100)],
        "spearman": [math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)],
        "mae": [max(0.0, float(low)), float(high)],
    }


def pairs(figure, lists):
    return [{"id": name, "a": list(map(float, a)), "b": list(map(float, b)), "expected": figure(a, b)} for name, (a, b) in lists.items()]


def group(name, tolerance, cases):
    return {"group": name, "tolerance": tolerance, "cases": cases}


def main():
    np.seterr(all="ignore")
    import warnings

    warnings.simplefilter("ignore")
    groups = [
        group("tau_b", 1e-12, pairs(lambda a, b: number(stats.kendalltau(a, b).statistic), LISTS | LONG)),
        group("rho", 1e-12, pairs(rho, LISTS | LONG)),
        group("rho_exact_p", 1e-12, pairs(exact_p, LISTS) + pairs(lambda a, b: None, LONG)),
        group("runs", 1e-12, [{"id": name, "averages": list(map(float, of)), "expected": runs(of)} for name, of in RUNS.items()]),
        group(
            "intervals",
            1e-9,
            [
                {"id": f"{name}, {level}", "a": list(map(float, a)), "b": list(map(float, b)), "level": str(level), "expected": intervals(a, b, level)}
                for name, (a, b) in LONG.items()
                for level in LEVELS
            ],
        ),
    ]
    print('{"provenance": ' + json.dumps({"script": "rankings.py", "numpy": np.__version__, "scipy": scipy.__version__}) + ', "groups": [')
    for at, one in enumerate(groups):
        head = json.dumps({"group": one["group"], "tolerance": one["tolerance"]})[:-1]
        print((",\n" if at else "") + head + ', "cases": [')
        print(",\n".join(json.dumps(case) for case in one["cases"]) + "]}", end="")
    print("\n]}")


main()
