"""Writes dar.json: MICON-Bench's Dynamic Attention Rebalancing by NumPy, from the equations alone.

pip install numpy==2.4.6
python dar.py > dar.json

Q and K are formulas: number i, in C order of (tokens, heads, numbers), is ((a·i mod p) − (p − 1)/2) / s.
softmax is exp(x − max) over its sum along the last axis; Ã is that of the sampled rows with the reference keys, r its
sum over rows and heads, r̂ is r brought to 0 … 1, w is 1.15, 0.85 or 1; `before` and `after` are the means of
softmax(Q Kᵀ/√d) and softmax(Q (w ⊙ K)ᵀ/√d) over rows and heads.
`sweep` holds what the same call comes to at other γ, τ and m: keys raised, lowered and with r̂ ≥ τ high, the share of attention
to references that these have before and after, half the sum of |after − before|, and the keys that went against their weight.
`wrong` holds what the same comes to without √d, and with the softmax over rows instead of keys: a comparison that does
not tell these apart is none.
"""
import itertools
import json
import sys

import numpy as np


def numbers(shape, a, p, s):
    return (((a * np.arange(np.prod(shape))) % p) - (p - 1) // 2).reshape(shape) / s


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def dar(q, k, spans, m=64, gamma=0.15, high=0.7, low=0.3, extent="joint", flat="unchanged", others="left_out", heads="equal",
        scaled=True, axis=-1):
    if heads == "grouped":
        k = np.repeat(k, q.shape[1] // k.shape[1], axis=1)
    root = np.sqrt(q.shape[2]) if scaled else 1.0
    rows = np.arange(len(q)) if len(q) <= m else np.floor(np.arange(m) * (len(q) - 1) / (m - 1)).astype(int)
    keys = np.concatenate([np.arange(a, b) for a, b in spans])
    # (rows, heads, keys)
    sampled = softmax(np.einsum("ihd,khd->ihk", q[rows], k[keys]) / root, axis)
    r = sampled.sum(axis=(0, 1))
    lengths = [b - a for a, b in spans]
    pieces = np.split(np.arange(len(keys)), np.cumsum(lengths)[:-1]) if extent == "per_reference" else [np.arange(len(keys))]
    normal = np.full(len(keys), np.nan)
    for piece in pieces:
        least, most = r[piece].min(), r[piece].max()
        if most > least:
            normal[piece] = (r[piece] - least) / (most - least)
        elif flat == "lowest":
            normal[piece] = 0.0
    hangs = (np.abs(normal - high) < 1e-9) | (np.abs(normal - low) < 1e-9)
    assert not scaled or axis != -1 or not hangs.any(), "a weight that hangs by a digit"
    w = np.where(normal >= high, 1 + gamma, np.where(normal <= low, 1 - gamma, 1.0))
    if others == "unweighted":
        all_w = np.ones(len(k))
        all_w[keys] = w
        within = np.arange(len(k))
    else:
        all_w, within = w, keys
    before = softmax(np.einsum("ihd,khd->ihk", q, k[within]) / root, axis).mean(axis=(0, 1))
    after = softmax(np.einsum("ihd,khd->ihk", q, k[within] * all_w[:, None, None]) / root, axis).mean(axis=(0, 1))
    return dict(
        rows=rows.tolist(),
        relevance=r.tolist(),
        normalised=[None if np.isnan(x) else x for x in normal.tolist()],
        weights=w.tolist(),
        before=before.tolist(),
        after=after.tolist(),
    )


def swept(q, k, spans, axes, **options):
    """One row for each combination of the axes' values, the last axis fastest."""
    rows = []
    for values in itertools.product(*axes.values()):
        chosen = options | dict(zip(axes, values))
        high = chosen.get("high", 0.7)
        found = {key: np.array(value, float) for key, value in dar(q, k, spans, **chosen).items()}
        w, r, before, after = (found[key] for key in ("weights", "normalised", "before", "after"))
        keys = np.concatenate([np.arange(a, b) for a, b in spans])
        at = keys if options.get("others") == "unweighted" else np.arange(len(keys))
        above = r >= high
        moved = after[at] - before[at]
        rows.append(dict(
            raised=int((w > 1).sum()), lowered=int((w < 1).sum()), above=int(above.sum()),
            above_before=float(before[at][above].sum() / before[at].sum()),
            above_after=float(after[at][above].sum() / after[at].sum()),
            total_variation=float(np.abs(after - before).sum() / 2),
            raised_but_lost=int(((w > 1) & (moved < 0)).sum()), lowered_but_gained=int(((w < 1) & (moved > 0)).sum())))
    return rows


Q = dict(a=37, p=101, s=17)
K = dict(a=53, p=89, s=13)


def case(name, q_shape, k_shape, spans, q=Q, k=K, **options):
    of = lambda **more: dar(numbers(q_shape, **q), numbers(k_shape, **k), spans, **options, **more)
    told = {"samples" if key == "m" else key: value for key, value in options.items()}
    return dict(
        id=name, q=dict(shape=q_shape, **q), k=dict(shape=k_shape, **k), references=",".join(f"{a}:{b - a}" for a, b in spans),
        options=told, expected=of(), wrong=dict(without_root=of(scaled=False), over_rows=of(axis=0)))


cases = [
    case("few rows, all of them", [5, 2, 4], [6, 2, 4], [(0, 6)]),
    case("as many rows as are drawn", [64, 1, 3], [5, 1, 3], [(0, 5)]),
    case("more rows than are drawn", [71, 2, 3], [9, 2, 3], [(0, 9)]),
    case("four rows drawn", [30, 2, 3], [9, 2, 3], [(0, 9)], m=4),
    case("two references, normalised jointly", [40, 2, 5], [14, 2, 5], [(0, 6), (6, 14)]),
    case("two references, each by itself", [40, 2, 5], [14, 2, 5], [(0, 6), (6, 14)], extent="per_reference"),
    case("other keys left out", [20, 2, 4], [15, 2, 4], [(2, 6), (9, 13)]),
    case("other keys in the softmax", [20, 2, 4], [15, 2, 4], [(2, 6), (9, 13)], others="unweighted"),
    case("other keys, each reference by itself", [20, 2, 4], [15, 2, 4], [(2, 6), (9, 13)], others="unweighted", extent="per_reference"),
    case("four heads share two", [12, 4, 3], [7, 2, 3], [(0, 7)], heads="grouped"),
    case("another strength and bounds", [25, 3, 6], [11, 3, 6], [(0, 11)], gamma=0.4, high=0.55, low=0.45),
    case("one head of 64 numbers", [66, 1, 64], [20, 1, 64], [(0, 20)]),
    case("large logits", [10, 1, 4], [8, 1, 4], [(0, 8)], q=dict(a=37, p=101, s=1), k=dict(a=53, p=89, s=1)),
]


def sweep_case(name, q_shape, k_shape, spans, axes, q=Q, k=K, **options):
    of = lambda axes: swept(numbers(q_shape, **q), numbers(k_shape, **k), spans, axes, **options)
    told = {"samples" if key == "m" else key: value for key, value in options.items()}
    names = {"samples" if key == "m" else key: values for key, values in axes.items()}
    # The bounds exchanged, where there are any: a comparison that does not tell them apart is none.
    other = {key: [value / 2 for value in values] if key != "m" else values for key, values in axes.items()}
    return dict(
        id=name, q=dict(shape=q_shape, **q), k=dict(shape=k_shape, **k), references=",".join(f"{a}:{b - a}" for a, b in spans),
        options=told, axes=[f"{key}=" + ",".join(map(str, values)) for key, values in names.items()], expected=of(axes),
        wrong=dict(halved=of(other)))


PRINTED = [0.05, 0.15, 0.25, 0.35, 0.55]
sweeps = [
    sweep_case("printed strengths", [40, 2, 5], [14, 2, 5], [(0, 6), (6, 14)], dict(gamma=PRINTED)),
    sweep_case("strengths and bounds", [71, 2, 3], [9, 2, 3], [(0, 9)], dict(gamma=[0.1, 0.4], high=[0.61, 0.83], low=[0.12, 0.37])),
    sweep_case("other keys in the softmax", [20, 2, 4], [15, 2, 4], [(2, 6), (9, 13)], dict(gamma=PRINTED), others="unweighted"),
    sweep_case("keys that go against their weight", [3, 1, 2], [10, 1, 2], [(0, 9)], dict(gamma=[0.15, 0.55]),
               q=dict(a=37, p=3, s=2), k=dict(a=2, p=97, s=3)),
    sweep_case("rows drawn", [71, 2, 3], [9, 2, 3], [(0, 9)], dict(m=[2, 5, 64], gamma=[0.2, 0.3]), extent="per_reference"),
]
json.dump(dict(source=__doc__.strip().splitlines()[0], numpy=np.__version__, groups=[dict(group="dar", tolerance=1e-12, cases=cases), dict(group="sweep", tolerance=1e-12, cases=sweeps)]), sys.stdout, indent=None, separators=(",", ":"))
print()
