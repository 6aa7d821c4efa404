"""Writes torch_metrics.json: SSIM and MS-SSIM of the torch packages for pictures that are formulas.

pip install numpy==2.4.6 torch==2.15.0 torchmetrics==1.9.0 pytorch-msssim==1.0.0
python -P torch_metrics.py > torch_metrics.json
"""
import json
import sys
from importlib.metadata import version

import numpy as np
import pytorch_msssim
import torch
from torchmetrics.functional.image import multiscale_structural_similarity_index_measure as multiscale
from torchmetrics.functional.image import structural_similarity_index_measure as single


def pictures(w, h):
    """Reference, candidate, and one further away.

    Smooth ramps with sharp wraps, and the same with a small grid of errors, as metrics.py has them; then the mean of the
    second and the first upside down.
    """
    y, x, c = np.mgrid[0:h, 0:w, 0:3].astype(np.int64)
    reference = ((3 * x * x + 5 * y * y + 7 * x * y + 320 * c) >> 3) & 255
    candidate = np.clip(reference + (7 * x + 13 * y + 5 * c) % 23 - 11, 0, 255)
    far = (candidate + reference[::-1]) >> 1
    return [torch.from_numpy(p.transpose(2, 0, 1)[None].astype(np.float64)) for p in (reference, candidate, far)]


def attempt(f):
    """None where the package refuses."""
    try:
        return float(f())
    except (AssertionError, RuntimeError, ValueError):
        return None


def case(w, h):
    a, *others = pictures(w, h)
    out = dict(width=w, height=h, ssim_torchmetrics=[attempt(lambda: single(b, a, data_range=255.0)) for b in others])
    if min(w, h) > 100:
        out["ms_ssim"] = [attempt(lambda: multiscale(b, a, data_range=255.0)) for b in others]
        out["ms_ssim_pytorch"] = [attempt(lambda: pytorch_msssim.ms_ssim(b, a, data_range=255)) for b in others]
    return out


# Around workgroups and the least sides; for MS-SSIM odd sides at every scale, and each package's limit from both sides.
SIZES = [(6, 6), (7, 7), (9, 9), (63, 63), (65, 65), (7, 65), (63, 9)]
SIZES += [(177, 201), (257, 257), (161, 163), (160, 163), (175, 177), (191, 223), (176, 176), (179, 319)]

versions = {name: version(name) for name in ("numpy", "torch", "torchmetrics", "pytorch-msssim")}
json.dump(dict(provenance="Written by torch_metrics.py beside this file, in 64-bit floats on the CPU.", versions=versions,
               cases=[case(w, h) for w, h in SIZES]), sys.stdout, separators=(",", ":"))
print()
