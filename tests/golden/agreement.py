"""Writes agreement.json: what SciPy, scikit-learn and the `krippendorff` package compute for small sets of ratings.

Intervals: SciPy's for Pearson's r; Bonett and Wright's (2000) for Spearman's rho and Cohen's (1960) for his kappa from their
formulas, on SciPy's rho and scikit-learn's table; for alpha and the weighted kappa a percentile bootstrap of whole clusters, in
which `krippendorff` and scikit-learn compute each resample anew from the ratings drawn, with NumPy's percentiles and the
stream of random numbers written down here once more.

pip install numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1 krippendorff==0.9.0
python agreement.py > agreement.json
"""
import json
import sys
import warnings

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

# Few pairs, where an interval may not exist or reach beyond the figure's own range.
SMALL_PAIRS = {
    "one pair": ([3], [3]),
    "one unequal pair": ([3], [4]),
    "two pairs": ([1, 4], [2, 4]),
    "three pairs": ([1, 4, 2], [2, 4, 3]),
    "four pairs": ([1, 4, 2, 7], [2, 4, 3, 1]),
    "both constant": ([5, 5, 5], [5, 5, 5]),
}

# Which sample each unit belongs to; the last samples of a table may have one unit only.
CLUSTERS = {
    "alone": lambda count: list(range(count)),
    "by three": lambda count: [100 - at // 3 for at in range(count)],
    "one": lambda count: [7] * count,
}

# A resample of equal scores has no alpha, also where their mean is not exactly one of them.
BOUND_TABLES = {
    **TABLES,
    "tenths": [[0.3, 0.5, 0.5], [0.9, 0.5, 0.5]],
    "fractions": [[0.1, 0.7, 0.7, 0.9], [0.3, 0.7, 0.7, 0.7]],
    "thirds": [[1 / 3, 2 / 3, 2 / 3], [2 / 3, 2 / 3, 2 / 3]],
    "two units": [[1, 5], [2, 5]],
    # Half of the resamples are of one score alone.
    "two equal units": [[1, 2], [1, 2]],
    "one other": [[4, 4, 4, 4, 4, 4, 4, 4, 4, 5], [4, 4, 4, 4, 4, 4, 4, 4, 4, 4]],
}

NUM_RESAMPLES, SEED, MASK = 1000, 20_260_715, 2**64 - 1


class SplitMix64:
    """Steele, Lea and Flood 2014."""

    def __init__(self, seed):
        self.state = seed

    def below(self, end):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return (((z ^ (z >> 31)) >> 32) * end) >> 32


def bootstrap(clusters, figure, level=95):
    """Percentiles of a figure of places in a list, over resamples of the clusters that these places belong to."""
    names = list(dict.fromkeys(clusters))
    places = {name: [at for at, own in enumerate(clusters) if own == name] for name in names}
    if len(names) < 2:
        return [None, None]
    random = SplitMix64(SEED)
    drawn = ([names[random.below(len(names))] for _ in names] for _ in range(NUM_RESAMPLES))
    found = [figure([at for name in draw for at in places[name]]) for draw in drawn]
    found = [value for value in found if value is not None]
    return [None, None] if 2 * len(found) < NUM_RESAMPLES else [float(end) for end in np.percentile(found, [50 - level / 2, 50 + level / 2])]


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


def columns(table, chosen):
    return [[row[at] for at in chosen] for row in table]


def alpha_bounds(level, of=None, percent=95):
    """Alpha's interval, with units that one rater alone saw left out before anything is drawn."""
    cases = []
    for name, table in (of or BOUND_TABLES).items():
        rated = [at for at in range(len(table[0])) if sum(row[at] is not None for row in table) > 1]
        for way, clusters in CLUSTERS.items():
            # A table of some size is resampled in every way, a small one each unit alone.
            if way != "alone" and len(table[0]) < 12:
                continue
            own = clusters(len(table[0]))
            kept = columns(table, rated)
            ends = None
            if rated and alpha(kept, level) is not None:
                ends = bootstrap([own[at] for at in rated], lambda drawn: alpha(columns(kept, drawn), level), percent)
            cases.append({"id": f"{name}, {way}", "units": units(table), "clusters": own, "expected": ends})
    return cases


def weighted(a, b):
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        return number(cohen_kappa_score(a, b, labels=STEPS, weights="quadratic"))


def weighted_bounds(of=None, percent=95):
    cases = []
    for name, (a, b) in (of or {**PAIRS, **SMALL_PAIRS}).items():
        for way, clusters in CLUSTERS.items():
            if way != "alone" and len(a) < 12:
                continue
            own = clusters(len(a))
            ends = None
            if weighted(a, b) is not None:
                ends = bootstrap(own, lambda drawn: weighted([a[at] for at in drawn], [b[at] for at in drawn]), percent)
            cases.append({"id": f"{name}, {way}", "a": list(map(float, a)), "b": list(map(float, b)), "clusters": own, "expected": ends})
    return cases


def z(percent):
    return float(stats.norm.ppf(0.5 + percent / 200))


Z = z(95)


def kappa_bounds(a, b, percent=95):
    """Cohen 1960: kappa plus and minus z times the square root of p(1 - p) / (N (1 - p_e)^2)."""
    table = confusion_matrix(a, b, labels=STEPS)
    n = table.sum()
    observed = np.trace(table) / n
    chance = table.sum(axis=0) @ table.sum(axis=1) / n**2
    if chance == 1:
        return None
    kappa = cohen_kappa_score(a, b, labels=STEPS)
    half = z(percent) * np.sqrt(observed * (1 - observed) / (n * (1 - chance) ** 2))
    return [float(kappa - half), float(kappa + half)]


def spearman_bounds(a, b):
    """Bonett and Wright 2000: on Fisher's scale, with the variance (1 + rho^2 / 2) / (n - 3)."""
    rho = stats.spearmanr(a, b)[0] if len(a) > 1 else np.nan
    if not np.isfinite(rho):
        return None
    # Between -1 and 1 only, of which rho may fall short by rounding alone.
    if len(a) < 4 or abs(rho) >= 1 - 1e-12:
        return [None, None]
    half = Z * np.sqrt((1 + rho**2 / 2) / (len(a) - 3))
    return [float(np.tanh(np.arctanh(rho) - half)), float(np.tanh(np.arctanh(rho) + half))]


PARTS = 10

# Enough pairs for ten parts; in one list a part is constant, in one there are too few.
PART_PAIRS = {
    "forty": PAIRS["two raters"],
    "forty-seven": (made(2, 47, 5, 0)[0], made(2, 47, 5, 0)[1]),
    "a constant part": ([3, 3, *range(1, 19)], [2, 5, *[at * 7 % 11 for at in range(18)]]),
    "too few": (list(range(19)), [at * 3 % 7 for at in range(19)]),
}


def partitions(a, b, percent):
    """Mean of Pearson's r over ten parts, whose sizes differ by one at most, with Student's interval of their mean."""
    if len(a) < 2 * PARTS:
        return None
    found = []
    for part in range(PARTS):
        own = slice(part * len(a) // PARTS, (part + 1) * len(a) // PARTS)
        r = stats.pearsonr(a[own], b[own])[0]
        if np.isfinite(r):
            found.append(float(r))
    low, high = stats.t.interval(percent / 100, len(found) - 1, np.mean(found), stats.sem(found))
    return {"defined": len(found), "mean": float(np.mean(found)), "sd": float(np.std(found, ddof=1)), "ends": [float(low), float(high)]}


def mean_error(a, b, percent, error):
    """A mean of errors with Student's interval, which ends at 0; none of fewer than five pairs."""
    errors = error(np.array(a, float) - np.array(b, float))
    if len(errors) < 5:
        return [None, None]
    if errors.std() == 0:
        return [float(errors.mean())] * 2
    low, high = stats.t.interval(percent / 100, len(errors) - 1, errors.mean(), stats.sem(errors))
    return [max(0.0, float(low)), float(high)]


def at_levels(cases_at):
    """The cases at each level, which they name."""
    return [{**case, "id": f"{case['id']}, {percent}", "level": str(percent)} for percent in (90, 95, 99) for case in cases_at(percent)]


# What is resampled at 90 and 99 %: the ends are other places in the same list of resamples.
LEVEL_TABLES = {name: TABLES[name] for name in ("published", "three raters with gaps", "halves")}
LEVEL_PAIRS = {name: PAIRS[name] for name in ("two raters", "ties", "shifted")}


def number(value):
    return float(value) if np.isfinite(value) else None


def alphas(level):
    return [{"id": name, "units": units(table), "expected": alpha(table, level)} for name, table in TABLES.items()]


def pairs(figure, of=PAIRS):
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        return [{"id": name, "a": list(map(float, a)), "b": list(map(float, b)), "expected": figure(a, b)} for name, (a, b) in of.items()]


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
            group("spearman_bounds", 1e-12, pairs(spearman_bounds, {**PAIRS, **SMALL_PAIRS})),
            group("kappa_bounds", 1e-12, pairs(kappa_bounds, {**PAIRS, **SMALL_PAIRS})),
            group("weighted_kappa_bounds", 1e-12, weighted_bounds()),
            group("alpha_interval_bounds", 1e-12, alpha_bounds("interval")),
            group("alpha_ordinal_bounds", 1e-12, alpha_bounds("ordinal")),
            # Student's quantiles are good to nine digits.
            group("partitions", 1e-9, at_levels(lambda percent: pairs(lambda a, b: partitions(a, b, percent), PART_PAIRS))),
            group("mae_levels", 1e-9, at_levels(lambda percent: pairs(lambda a, b: mean_error(a, b, percent, np.abs), {**PAIRS, **SMALL_PAIRS}))),
            group("mse_levels", 1e-9, at_levels(lambda percent: pairs(lambda a, b: mean_error(a, b, percent, np.square), {**PAIRS, **SMALL_PAIRS}))),
            group("kappa_levels", 1e-12, at_levels(lambda percent: pairs(lambda a, b: kappa_bounds(a, b, percent), LEVEL_PAIRS))),
            group("weighted_kappa_levels", 1e-12, at_levels(lambda percent: weighted_bounds(LEVEL_PAIRS, percent))),
            group("alpha_interval_levels", 1e-12, at_levels(lambda percent: alpha_bounds("interval", LEVEL_TABLES, percent))),
            group("alpha_ordinal_levels", 1e-12, at_levels(lambda percent: alpha_bounds("ordinal", LEVEL_TABLES, percent))),
        ]
    },
    sys.stdout,
    separators=(",", ":"),
)
print()
