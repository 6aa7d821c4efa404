"""Writes two packs whose graphs rten 0.27 computes otherwise than ONNX says, for the test that nothing is computed with them:
a cubic Resize, and ArgMax over equal numbers.

    python faults.py OUT
"""
import sys

import torch
from torch import nn

from pack import IMAGENET_PIXELS, Pack, pictures

PIXELS = {"path": "pil_bicubic_u8", "resize": {"short_side": 32}, "crop": {"side": 32, "rounding": "floor"}, "rescale": "multiply",
          **IMAGENET_PIXELS}


class Cubic(nn.Module):
    def forward(self, pixel_values):
        return nn.functional.interpolate(pixel_values, size=(44, 44), mode="bicubic", align_corners=False).mean(dim=(2, 3)) * 10


class Last(nn.Module):
    """Of equal largest numbers ONNX takes the first place."""

    def forward(self, pixel_values):
        place = pixel_values.clamp(max=0.5).flatten(1).argmax(dim=1, keepdim=True)
        return pixel_values.flatten(1)[:, :2] + place.float()


if __name__ == "__main__":
    for name, module, width in (("cubic", Cubic(), 3), ("argmax", Last(), 2)):
        pack = Pack(f"{sys.argv[1]}/{name}", name, "dino", "faults.py", "MIT OR Apache-2.0", "both")
        pack.graph("image", module, [(one,) for one in pictures(32)], [("pixel_values", [1, 3, 32, 32])], [("tokens", [1, width])], pixels=PIXELS)
        pack.close()
