"""Writes statistics.json: what SciPy and statsmodels compute for small made-up vectors.

pip install numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0
python statistics.py > statistics.json
"""
import json
import warnings

import numpy as np
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests

warnings.simplefilter("ignore")
MASK = 2**64 - 1


class SplitMix64:
    """Steele, Lea and Flood 2014."""

    def __init__(self, seed):
        self.state = seed

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, end):
        return ((self.bits() >> 32) * end) >> 32


def draw(seed, n, low, high):
    random = SplitMix64(seed)
    return [low + random.below(high - low + 1) for _ in range(n)]


def reals(seed, n):
    random = SplitMix64(seed)
    return [(random.bits() >> 11) / 2**53 - 0.4 for _ in range(n)]


# Differences of scores: what judges give (whole numbers, so ties and zeros) and what means over runs give (few ties).
VECTORS = {
    "none": [],
    "one": [0.25],
    "two": [0.5, -0.25],
    "two_equal": [2.0, 2.0],
    "three": [1.0, 2.0, 4.0],
    "constant": [0.1] * 9,
    "zeros": [0.0] * 6,
    "one_among_zeros": [0.0, 0.0, 3.0, 0.0],
    "small_ties": [1.0, -1.0, 2.0, 2.0, 0.0, 3.0, -2.0],
    "thirteen_ties": [float(x) for x in draw(5, 13, -2, 4)],
    "fourteen_ties": [float(x) for x in draw(6, 14, -2, 4)],
    "plain_12": reals(7, 12),
    "plain_50": reals(8, 50),
    "plain_51": reals(9, 51),
    "scores_60": [float(x) for x in draw(10, 60, -4, 5)],
    "scores_120": [float(x) for x in draw(11, 120, -4, 6)],
    "far": [x + 30.0 for x in reals(12, 25)],
    "skewed": [float(2**x) for x in draw(13, 20, 0, 6)],
}


def finite(x):
    return None if x is None or not np.isfinite(x) else float(x)


def varies(d):
    return len(d) > 1 and any(x != d[0] for x in d)


def t_interval(d, level=0.95):
    if len(d) < 2:
        return None
    if not varies(d):
        # scipy.stats.t.interval gives NaN for a scale of 0; the limit is the value itself.
        return [d[0], d[0]]
    low, high = stats.t.interval(level, len(d) - 1, loc=np.mean(d), scale=stats.sem(d))
    return [float(low), float(high)]


def paired(d):
    """ttest_rel of two columns with these differences."""
    if not varies(d):
        return None
    test = stats.ttest_1samp(d, 0.0)
    half = np.array(d) / 2
    rel = stats.ttest_rel(half, -half)
    assert np.isclose(rel.pvalue, test.pvalue, rtol=1e-9, atol=0)
    return {"t": float(rel.statistic), "df": float(rel.df), "ln_p": float(stats.t.logsf(abs(rel.statistic), rel.df) + np.log(2))}


def wilcoxon(d):
    if not any(d):
        return None
    test = stats.wilcoxon(d)
    return {"statistic": float(test.statistic), "p": float(test.pvalue)}


def detectable(d):
    """(t(0.975, n - 1) + t(0.8, n - 1)) * sd / sqrt(n)."""
    if not varies(d):
        return None
    df = len(d) - 1
    return float((stats.t.ppf(0.975, df) + stats.t.ppf(0.8, df)) * stats.sem(d))


CLUSTERED = {
    "singles": (reals(21, 15), list(range(15))),
    # Quarters, so that sums are exact: a replicate with every cluster once must tie with the mean.
    "uneven": ([x / 4 for x in draw(22, 20, -3, 6)], [0, 0, 0, 0, 1, 2, 2, 3, 3, 3, 4, 5, 5, 6, 6, 6, 6, 6, 7, 7]),
    "apart": ([float(x) for x in draw(23, 24, 0, 9)], [x % 6 for x in range(24)]),
    "two": ([1.0, 1.0, 2.0, 4.0], [0, 0, 1, 1]),
}


def clustered(values, clusters):
    fit = sm.OLS(np.array(values), np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": np.array(clusters)}, use_t=True)
    low, high = fit.conf_int()[0]
    return {
        "mean": float(fit.params[0]),
        "error": float(fit.bse[0]),
        "df": float(fit.df_resid_inference),
        "low": float(low),
        "high": float(high),
        "p": float(fit.pvalues[0]),
    }


def bootstrap(values, clusters, seed, replicates, level=0.95):
    """SciPy's BCa interval of replicates that are drawn by SplitMix64, so that both have the same ones."""
    order = list(dict.fromkeys(clusters))
    sums = np.array([sum(v for v, c in zip(values, clusters) if c == name) for name in order])
    sizes = np.array([float(clusters.count(name)) for name in order])
    random = SplitMix64(seed)
    distribution = []
    for _ in range(replicates):
        total, n = 0.0, 0.0
        for _ in order:
            at = random.below(len(order))
            total += sums[at]
            n += sizes[at]
        distribution.append(total / n)

    def mean(at, axis=-1):
        at = at.astype(int)
        return sums[at].sum(axis=axis) / sizes[at].sum(axis=axis)

    data = (np.arange(len(order)),)
    given = stats.bootstrap(data, mean, n_resamples=1, vectorized=True)
    given.bootstrap_distribution = np.array(distribution)
    both = {}
    for method in ("BCa", "percentile"):
        interval = stats.bootstrap(data, mean, n_resamples=0, vectorized=True, method=method, confidence_level=level, bootstrap_result=given).confidence_interval
        both[method] = [float(interval.low), float(interval.high)]
    return both


P_VALUES = {
    "none": [],
    "one": [0.03],
    "three": [0.04, 0.01, 0.03],
    "equal": [0.02, 0.02, 0.02, 0.02],
    "steps": [0.001, 0.04, 0.0125, 0.5, 0.9, 0.008],
    "ones": [1.0, 1.0, 0.3],
    "fifteen": [abs(x) / 10 for x in reals(31, 15)],
}

# Scores of two models; an absent one is null, and the pair is left out.
A = [7, 8, 6, 9, None, 5, 8, 7, 6, 10, 4, 8, None, 9, 7, 6]
B = [6, 8, 5, 7, 4, None, 8, 5, 6, 9, 5, 6, None, 7, 7, 3]


def missing(a, b):
    d = [x - y for x, y in zip(a, b) if x is not None and y is not None]
    x, y = (np.array([np.nan if v is None else v for v in column], dtype=float) for column in (a, b))
    rel = stats.ttest_rel(x, y, nan_policy="omit")
    low, high = rel.confidence_interval()
    ranks = stats.wilcoxon(x, y, nan_policy="omit")
    return {
        "n": len(d),
        "mean": float(np.mean(d)),
        "sd": float(np.std(d, ddof=1)),
        "t": float(rel.statistic),
        "df": float(rel.df),
        "p_t": float(rel.pvalue),
        "low": float(low),
        "high": float(high),
        "p_wilcoxon": float(ranks.pvalue),
        **{f"ends_{level}": [float(end) for end in rel.confidence_interval(level / 100)] for level in (90, 99)},
    }


def group(name, tolerance, cases):
    return {"group": name, "tolerance": tolerance, "cases": [{"id": id, **case} for id, case in cases]}


def main():
    vectors = VECTORS.items()
    levels = (90, 99)
    replicates = [("uneven", 1, 999), ("uneven", 2, 999), ("singles", 1, 500), ("apart", 7, 2000)]
    groups = [
        group("t_interval", 1e-9, [(k, {"values": d, "expected": t_interval(d)}) for k, d in vectors]),
        group("paired_t", 1e-9, [(k, {"values": d, "expected": paired(d)}) for k, d in vectors]),
        group("wilcoxon", 1e-12, [(k, {"values": d, "expected": wilcoxon(d)}) for k, d in vectors]),
        group("detectable", 1e-9, [(k, {"values": d, "expected": detectable(d)}) for k, d in vectors]),
        group("clustered", 1e-9, [(k, {"values": v, "clusters": c, "expected": clustered(v, c)}) for k, (v, c) in CLUSTERED.items()]),
        group(
            "bootstrap",
            1e-9,
            [
                (
                    f"{k}_{seed}",
                    {
                        "values": CLUSTERED[k][0],
                        "clusters": CLUSTERED[k][1],
                        "seed": seed,
                        "replicates": b,
                        "expected": bootstrap(*CLUSTERED[k], seed, b)["BCa"],
                    },
                )
                for k, seed, b in replicates
            ],
        ),
        group("t_interval_at", 1e-9, [(f"{k}_{level}", {"values": d, "level": level, "expected": t_interval(d, level / 100)}) for k, d in vectors for level in levels]),
        group(
            "bootstrap_at",
            1e-9,
            [
                (
                    f"{k}_{seed}_{level}",
                    {
                        "values": CLUSTERED[k][0],
                        "clusters": CLUSTERED[k][1],
                        "seed": seed,
                        "replicates": b,
                        "level": level,
                        "expected": bootstrap(*CLUSTERED[k], seed, b, level / 100)["BCa"],
                    },
                )
                for k, seed, b in replicates
                for level in levels
            ],
        ),
        group("holm", 1e-12, [(k, {"p": p, "expected": [float(x) for x in multipletests(p, method="holm")[1]] if p else []}) for k, p in P_VALUES.items()]),
        group("benjamini_hochberg", 1e-12, [(k, {"p": p, "expected": [float(x) for x in stats.false_discovery_control(p)] if p else []}) for k, p in P_VALUES.items()]),
        group(
            "normal_quantile",
            1e-12,
            [(str(p), {"p": p, "expected": float(stats.norm.ppf(p))}) for p in (1e-12, 0.001, 0.025, 0.2, 0.5, 0.7, 0.975, 1 - 1e-9)],
        ),
        group("missing_pairs", 1e-9, [("scores", {"a": A, "b": B, "expected": missing(A, B)})]),
    ]
    versions = {"numpy": np.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__}
    # One case per line.
    print('{"provenance": ' + json.dumps({"script": "statistics.py", **versions}) + ', "groups": [')
    for at, one in enumerate(groups):
        head = json.dumps({"group": one["group"], "tolerance": one["tolerance"]})[:-1]
        print((",\n" if at else "") + head + ', "cases": [')
        print(",\n".join(json.dumps(case) for case in one["cases"]) + "]}", end="")
    print("\n]}")


main()
