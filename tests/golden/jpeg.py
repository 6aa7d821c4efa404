"""Writes jpeg.json: JPEG files that are large enough for MS-SSIM and have flat regions, and libjpeg-turbo's decode of each.

Pillow decodes by libjpeg-turbo; its pixels are kept as PNG.

pip install pillow==13.0.0
python jpeg.py > jpeg.json
"""

import io
import json
import sys

import PIL
from PIL import Image, ImageDraw, features

WIDTH, HEIGHT = 181, 177


def picture() -> Image.Image:
    """A gradient with an ellipse and lines beside flat rectangles whose sides are not those of blocks."""
    image = Image.new("RGB", (WIDTH, HEIGHT))
    for y in range(HEIGHT):
        for x in range(WIDTH // 2):
            image.putpixel((x, y), (x * 2, 90, 255 - x))
    draw = ImageDraw.Draw(image)
    draw.ellipse((12, 20, 80, 110), fill=(230, 140, 20))
    draw.line((0, 150, WIDTH // 2, 130), fill=(20, 20, 120), width=3)
    for idx, colour in enumerate([(200, 30, 30), (30, 160, 60), (40, 60, 210), (235, 235, 80)]):
        top = idx * 45
        draw.rectangle((WIDTH // 2, top, WIDTH - 1, top + 44), fill=colour)
    draw.rectangle((130, 37, 160, 141), fill=(120, 120, 120))
    return image


def written(image: Image.Image, form: str, **options) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


files = []
for name, quality, subsampling in [("4:2:0, quality 75", 75, 2), ("4:4:4, quality 90", 90, 0)]:
    jpeg = written(picture(), "JPEG", quality=quality, subsampling=subsampling)
    decoded = Image.open(io.BytesIO(jpeg)).convert("RGB")
    png = written(decoded, "PNG", optimize=True)
    files.append({"name": name, "jpeg": jpeg.hex(), "png": png.hex()})

out = {
    "provenance": "Written by jpeg.py beside this file.",
    "versions": {"pillow": PIL.__version__, "libjpeg-turbo": features.version("libjpeg_turbo")},
    "files": files,
}
json.dump(out, sys.stdout, separators=(",", ":"))
print()
