"""Writes wilson.json: SciPy's Wilson intervals of shares, without a correction for continuity, at 90, 95 and 99 %.

pip install scipy==1.17.1
python wilson.py > wilson.json
"""
import json

import scipy
from scipy.stats import binomtest

PAIRS = [(0, 1), (1, 1), (0, 7), (7, 7), (1, 7), (3, 8), (5, 10), (1, 64), (63, 65), (0, 257), (128, 257), (3, 100000)]


def main():
    cases = []
    for count, n in PAIRS:
        for level in (90, 95, 99):
            ends = binomtest(count, n).proportion_ci(level / 100, method="wilson")
            cases.append({"count": count, "n": n, "level": str(level), "low": float(ends.low), "high": float(ends.high)})
    print('{"provenance": ' + json.dumps({"script": "wilson.py", "scipy": scipy.__version__}) + ', "cases": [')
    print(",\n".join(json.dumps(case) for case in cases))
    print("]}")


main()
