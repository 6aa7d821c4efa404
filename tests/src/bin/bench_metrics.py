"""Times the Python tools on the pictures of `bench_metrics`: one JSON object, work and side → milliseconds and value."""
import json
import sys
import time

import numpy as np

RUNS = 5


def fastest(work):
    best, value = float("inf"), None
    for _ in range(RUNS):
        start = time.perf_counter()
        value = work()
        best = min(best, time.perf_counter() - start)
    return [best * 1e3, float(value)]


def gaussian(a, b, **more):
    return structural_similarity(
        a, b, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255, **more)


out, tools = {}, {}
try:
    import cv2

    cv2.setNumThreads(1)
    tools["OpenCV"] = cv2.__version__
except ImportError:
    cv2 = None
try:
    import skimage
    from skimage.metrics import structural_similarity

    tools["scikit-image"] = skimage.__version__
except ImportError:
    skimage = None

for side in map(int, sys.argv[2:]):
    load = lambda name, c: np.fromfile(f"{sys.argv[1]}/{side}_{name}", np.uint8).reshape((side, side, c) if c > 1 else (side, side))
    r, c, gr, gc = load("r", 3), load("c", 3), load("gr", 1), load("gc", 1)
    works = {}
    if cv2:
        works["MSE, RGB"] = lambda: cv2.norm(r, c, cv2.NORM_L2SQR) / r.size
        works["Canny, grey"] = lambda: np.count_nonzero(cv2.Canny(gr, 100, 200))
    if skimage:
        works["SSIM 7 × 7, RGB"] = lambda: structural_similarity(r, c, channel_axis=-1)
        works["SSIM 7 × 7, grey"] = lambda: structural_similarity(gr, gc)
        works["SSIM Gaussian, RGB"] = lambda: gaussian(r, c, channel_axis=-1)
        works["SSIM Gaussian, grey"] = lambda: gaussian(gr, gc)
    out.update({f"{name} {side}": fastest(work) for name, work in works.items()})
json.dump(dict(tools=tools, times=out), sys.stdout)
