"""Writes neural.json: what eight small pictures become before each network, by the functions of the authors' packages.

pip install pillow==11.2.1 transformers==4.47.1 torch torchvision opencv-python-headless==4.11.0.86
git clone https://github.com/DepthAnything/Depth-Anything-V2
python -P neural.py Depth-Anything-V2 > neural.json  # -P, as a script beside it is called statistics

Arrays are told by the SHA-256 of their f32 numbers (little endian, channels first), as they must be equal to the bit.
"""
import hashlib
import io
import json
import math
import sys
import types

import cv2
import numpy as np
import PIL
import torch
import torchvision
import transformers
from PIL import Image
from torchvision import transforms
from transformers import BitImageProcessor, CLIPImageProcessor

sys.path.insert(0, sys.argv[1])
from depth_anything_v2.dinov2 import DinoVisionTransformer  # noqa: E402
from depth_anything_v2.util import transform as depth  # noqa: E402

IMAGENET = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
BICUBIC = transforms.InterpolationMode.BICUBIC


def drawn(width, height, channels):
    """Waves and a hard edge, so that every kernel and every place of a crop leaves a trace."""
    y, x = np.mgrid[0:height, 0:width].astype(float)
    planes = []
    for c in range(channels):
        wave = 127 + 90 * np.sin(x / (5 + c) + y / (9 - c)) + 30 * np.cos(x * y / (400 + 90 * c))
        wave[(x - width / 3) ** 2 + (y - height / 2) ** 2 < (min(width, height) / 4) ** 2] = 20 + 70 * c
        planes.append(np.clip(np.round(wave / 8) * 8, 0, 255))
    return np.stack(planes, -1).astype(np.uint8)


def file(width, height, mode, kind, **options):
    array = drawn(width, height, {"L": 1, "RGB": 3, "RGBA": 4}[mode])
    out = io.BytesIO()
    Image.fromarray(array[..., 0] if mode == "L" else array, mode).save(out, kind, **options)
    return out.getvalue()


exif = Image.Exif()
exif[0x0112] = 6
FILES = {
    "square": file(96, 96, "RGB", "PNG"),
    "odd": file(101, 75, "RGB", "PNG"),
    "3:2": file(120, 80, "RGB", "JPEG", quality=90),
    "2:3": file(80, 121, "RGB", "PNG"),
    "tiny": file(9, 7, "RGB", "PNG"),
    "grey": file(90, 71, "L", "PNG"),
    "alpha": file(64, 99, "RGBA", "PNG"),
    "exif": file(83, 60, "RGB", "JPEG", quality=90, exif=exif),
}


def pil(data):
    return Image.open(io.BytesIO(data)).convert("RGB")


def clip(data):
    return CLIPImageProcessor()(pil(data), return_tensors="np")["pixel_values"][0]


def clip_score(data):
    """As MultiRef's evaluator hands pictures to torchmetrics, which hands them to the processor."""
    prepare = transforms.Compose([transforms.Resize(224, interpolation=BICUBIC), transforms.CenterCrop(224), transforms.ToTensor()])
    return CLIPImageProcessor()([prepare(pil(data))], return_tensors="np")["pixel_values"][0]


def dino(data):
    processor = BitImageProcessor(size={"shortest_edge": 256}, crop_size={"height": 224, "width": 224},
                                  image_mean=IMAGENET[0], image_std=IMAGENET[1])
    return processor(pil(data), return_tensors="np")["pixel_values"][0]


def inception(data):
    prepare = transforms.Compose([transforms.Resize(299), transforms.CenterCrop(299), transforms.ToTensor(), transforms.Normalize(*IMAGENET)])
    return prepare(pil(data)).numpy()


def sketch(data):
    return transforms.Compose([transforms.Resize(256, BICUBIC), transforms.ToTensor()])(pil(data)).numpy()


def pose(data):
    prepare = transforms.Compose([transforms.ToTensor(), transforms.Normalize(*IMAGENET)])
    return prepare(pil(data).resize((512, 512))).numpy()


def depth_518(data):
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    prepare = transforms.Compose([
        depth.Resize(width=518, height=518, resize_target=False, keep_aspect_ratio=True, ensure_multiple_of=14,
                     resize_method="lower_bound", image_interpolation_method=cv2.INTER_CUBIC),
        depth.NormalizeImage(mean=IMAGENET[0], std=IMAGENET[1]),
        depth.PrepareForNet(),
    ])
    return prepare({"image": cv2.cvtColor(picture, cv2.COLOR_BGR2RGB) / 255.0})["image"]


PATHS = {"clip": clip, "clip_score": clip_score, "dino": dino, "inception": inception, "sketch": sketch, "pose": pose, "depth": depth_518}


def told(array):
    array = np.ascontiguousarray(array, "<f4")
    assert math.isfinite(float(array.sum()))
    middle = array.reshape(-1)[array.size // 2:][:4]
    return {"shape": list(array.shape), "sha256": hashlib.sha256(array.tobytes()).hexdigest(), "middle": [float(x) for x in middle]}


def positions():
    """A table of 5 × 5 places with two numbers each, brought to other sizes by the authors' function."""
    table = torch.sin(torch.arange(52, dtype=torch.float32) * 0.7).reshape(1, 26, 2)
    own = types.SimpleNamespace(pos_embed=table, patch_size=14, interpolate_offset=0.1, interpolate_antialias=False)
    cases = []
    for rows, columns in ((5, 5), (5, 8), (9, 4), (12, 12)):
        tokens = torch.zeros(1, 1 + rows * columns, 2)
        found = DinoVisionTransformer.interpolate_pos_encoding(own, tokens, 14 * rows, 14 * columns)
        cases.append({"rows": rows, "columns": columns, "positions": found.reshape(-1).tolist()})
    return {"table": table.reshape(-1).tolist(), "cases": cases}


json.dump({
    "provenance": "Written by neural.py beside this file.",
    "versions": {"pillow": PIL.__version__, "transformers": transformers.__version__, "torch": torch.__version__,
                 "torchvision": torchvision.__version__, "opencv": cv2.__version__, "numpy": np.__version__},
    "positions": positions(),
    "cases": [{"name": name, "file": data.hex(), "paths": {path: told(make(data)) for path, make in PATHS.items()}}
              for name, data in FILES.items()],
}, sys.stdout, separators=(",", ":"))
