"""Does the work of `cargo xtask bench metrics` with the Python tools, on one thread.

`bench_metrics.py FOLDER` first says which tools it has, then answers each line `SIDE WORK` with one object for each tool
that does this work: the fastest time in milliseconds, the value, and how far it may lie from Juror's.
"""
import functools
import json
import sys
import time

import numpy as np

# A work is done again and again for so long, and at least once; the fastest counts.
VISIT_SECS = 0.06

tools, works = {}, {}


def does(work, who, tolerance=1e-9):
    """Registers a function of a scene as a tool's way to do a work; `tolerance` is relative."""
    return lambda function: works.setdefault(work, []).append((who, tolerance, function))


try:
    import cv2

    cv2.setNumThreads(1)
    tools["OpenCV"] = cv2.__version__
    does("MSE, RGB", "OpenCV")(lambda s: cv2.norm(s.r, s.c, cv2.NORM_L2SQR) / s.r.size)
    does("Canny, grey", "OpenCV")(lambda s: cv2.countNonZero(cv2.Canny(s.gr, 100, 200)))
except ImportError:
    pass

try:
    import skimage
    from skimage.metrics import mean_squared_error, structural_similarity

    gaussian = functools.partial(
        structural_similarity, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255)
    tools["scikit-image"] = skimage.__version__
    does("MSE, RGB", "scikit-image")(lambda s: mean_squared_error(s.r, s.c))
    does("SSIM 7 × 7, RGB", "scikit-image")(lambda s: structural_similarity(s.r, s.c, channel_axis=-1))
    does("SSIM 7 × 7, grey", "scikit-image")(lambda s: structural_similarity(s.gr, s.gc))
    does("SSIM Gaussian, RGB", "scikit-image")(lambda s: gaussian(s.r, s.c, channel_axis=-1))
    does("SSIM Gaussian, grey", "scikit-image")(lambda s: gaussian(s.gr, s.gc))
except ImportError:
    pass

try:
    import torch
    import torchmetrics
    from torchmetrics.functional import image

    torch.set_num_threads(1)
    tools["torchmetrics"] = f"{torchmetrics.__version__} (torch {torch.__version__}, f32)"
    # f32 keeps some four digits of a variance.
    does("SSIM torchmetrics, RGB", "torchmetrics", 1e-3)(
        lambda s: image.structural_similarity_index_measure(s.tc, s.tr, data_range=255.0))
    does("MS-SSIM, RGB", "torchmetrics", 1e-3)(
        lambda s: image.multiscale_structural_similarity_index_measure(s.tc, s.tr, data_range=255.0))
except ImportError:
    torch = None


class Scene:
    """A pair as arrays, and as tensors where there is torch."""

    def __init__(self, side):
        def load(name, *shape):
            return np.fromfile(f"{sys.argv[1]}/{side}_{name}", np.uint8).reshape(side, side, *shape)

        self.r, self.c, self.gr, self.gc = load("r", 3), load("c", 3), load("gr"), load("gc")
        if torch:
            self.tr, self.tc = (
                torch.from_numpy(x.transpose(2, 0, 1).astype(np.float32)[None]) for x in (self.r, self.c))


@functools.cache
def scene(side):
    return Scene(side)


def fastest(work):
    begin, best = time.perf_counter(), float("inf")
    while True:
        start = time.perf_counter()
        value = float(work())
        now = time.perf_counter()
        best = min(best, now - start)
        if now - begin >= VISIT_SECS:
            return {"ms": best * 1e3, "value": value}


print(json.dumps(tools), flush=True)
for line in sys.stdin:
    side, work = line.rstrip("\n").split(" ", 1)
    pair = scene(int(side))
    print(json.dumps([
        {"who": who, "tolerance": tolerance, **fastest(lambda: function(pair))}
        for who, tolerance, function in works.get(work, [])]), flush=True)
