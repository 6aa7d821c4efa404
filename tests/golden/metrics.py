"""Writes metrics.json: what the Python tools compute for pictures that are formulas.

pip install numpy==2.2.6 opencv-python-headless==4.11.0.86 scikit-image==0.25.2 scipy==1.15.3 pillow==11.2.1 imagehash==4.3.2
python metrics.py > metrics.json
"""
import hashlib
import json
import sys

import cv2
import imagehash
import numpy as np
import PIL
import scipy
import skimage
from PIL import Image
from skimage.metrics import peak_signal_noise_ratio, structural_similarity


# Linear resampling of f64 planes is another formula under Intel's library; bytes are the same with and without it.
cv2.ipp.setUseIPP(False)


def pictures(w, h):
    """Reference and candidate: smooth ramps with sharp wraps, and the same with a small grid of errors."""
    y, x, c = np.mgrid[0:h, 0:w, 0:3].astype(np.int64)
    reference = ((3 * x * x + 5 * y * y + 7 * x * y + 320 * c) >> 3) & 255
    candidate = np.clip(reference + (7 * x + 13 * y + 5 * c) % 23 - 11, 0, 255)
    return reference.astype(np.uint8), candidate.astype(np.uint8)


def sha(a):
    return hashlib.sha256(np.ascontiguousarray(a).tobytes()).hexdigest()


def attempt(f):
    try:
        value = float(f())
    except ValueError:
        return None
    return value if np.isfinite(value) else str(value)


def grey(a):
    return cv2.cvtColor(np.ascontiguousarray(a[..., ::-1]), cv2.COLOR_BGR2GRAY)


def slope(a, b, inset, **options):
    """The mean of the map where windows lie fully inside, weighted so that each place counts otherwise."""
    _, full = structural_similarity(a, b, channel_axis=-1, full=True, **options)
    h, w = a.shape[:2]
    places = full[inset:h - inset, inset:w - inset].mean(axis=-1)
    y, x = np.mgrid[0:places.shape[0], 0:places.shape[1]] + 1
    return (places * (x / w + 2 * y / h)).mean()


def ssims(a, b):
    gauss = dict(gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255)
    ga, gb = grey(a), grey(b)
    return dict(
        ssim=attempt(lambda: structural_similarity(a, b, channel_axis=-1)),
        ssim_grey=attempt(lambda: structural_similarity(ga, gb)),
        ssim_range_100=attempt(lambda: structural_similarity(a, b, channel_axis=-1, data_range=100)),
        ssim_window_3=attempt(lambda: structural_similarity(a, b, channel_axis=-1, win_size=3)),
        ssim_window_13=attempt(lambda: structural_similarity(a, b, channel_axis=-1, win_size=13)),
        ssim_gaussian=attempt(lambda: structural_similarity(a, b, channel_axis=-1, **gauss)),
        ssim_gaussian_grey=attempt(lambda: structural_similarity(ga, gb, **gauss)),
        ssim_gaussian_wide=attempt(lambda: structural_similarity(a, b, channel_axis=-1, **{**gauss, "sigma": 2.5})),
        ssim_map=attempt(lambda: slope(a, b, 3)),
        ssim_gaussian_map=attempt(lambda: slope(a, b, 5, **gauss)),
        ssim_reals=attempt(lambda: structural_similarity(ga / 255.0, gb / 255.0, **{**gauss, "data_range": 1.0})),
    )


def resizes(a):
    h, w = a.shape[:2]
    out = []
    for to in ((w, h), (max(w // 2, 1), max(h // 2, 1)), (5, 3), (w + 3, max(h - 2, 1)), (2 * w, 3 * h), (31, 70)):
        record = dict(to=to)
        for name, flag in (("nearest", cv2.INTER_NEAREST), ("area", cv2.INTER_AREA), ("linear", cv2.INTER_LINEAR)):
            record[name] = sha(cv2.resize(a, to, interpolation=flag))
            reals = cv2.resize(grey(a) / 255.0, to, interpolation=flag)
            record[name + "_reals"] = [float(reals.mean()), float((reals * reals).mean())]
        out.append(record)
    return out


def case(w, h):
    a, b = pictures(w, h)
    difference = a.astype(float) - b
    ga, gb = grey(a), grey(b)
    ea, eb = cv2.Canny(ga, 100, 200), cv2.Canny(gb, 100, 200)
    hashes = [imagehash.phash(Image.fromarray(p)) for p in (a, b)]
    return dict(
        width=w, height=h, sha256=[sha(a), sha(b)],
        mse=float((difference**2).mean()), mae=float(np.abs(difference).mean()),
        psnr=attempt(lambda: peak_signal_noise_ratio(a, b, data_range=255)),
        grey=[sha(ga), sha(np.asarray(Image.fromarray(a).convert("L")))],
        canny=[sha(ea), sha(eb), sha(cv2.Canny(gb, 20, 60))],
        edges=[int((ea > 0).sum()), int((eb > 0).sum())],
        edge_mse=float(((ea / 255.0 - eb / 255.0) ** 2).mean()),
        adaptive=sha(cv2.adaptiveThreshold(ga, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY, 11, 2)),
        phash=[str(p) for p in hashes], phash_distance=int(hashes[0] - hashes[1]),
        resize=resizes(a) if w <= 65 else resizes(a)[1:3],
        **ssims(a, b),
    )


SIZES = [(1, 1), (7, 7), (8, 8), (9, 9), (63, 63), (64, 64), (65, 65), (257, 257)]
SIZES += [(1, 40), (37, 1), (2, 2), (3, 29), (9, 7), (65, 8), (11, 63), (257, 13), (6, 5), (64, 65)]

versions = dict(numpy=np.__version__, cv2=cv2.__version__, skimage=skimage.__version__, scipy=scipy.__version__,
                pillow=PIL.__version__, imagehash=imagehash.__version__)
json.dump(dict(provenance="Written by metrics.py beside this file.", versions=versions,
               cases=[case(w, h) for w, h in SIZES]), sys.stdout, separators=(",", ":"))
print()
