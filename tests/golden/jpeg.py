"""Writes jpeg.json: JPEG files and libjpeg-turbo's decode of each, by Pillow.

`files` are large enough for MS-SSIM and have flat regions; their pixels are kept as PNG.
`decoded` are small files of every kind with the SHA-256 of their RGB bytes; `null` where Pillow's `load()` refuses them.
`encoded` are sizes with the SHA-256 of the file that `save(..., "JPEG")` writes of a drawn picture.

pip install pillow==13.0.0
python jpeg.py > jpeg.json
"""

import hashlib
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

def drawn(width: int, height: int) -> Image.Image:
    """Colours without a pattern that blocks or subsampling would hide; the tests draw the same."""
    image = Image.new("RGB", (width, height))
    for y in range(height):
        for x in range(width):
            image.putpixel((x, y), ((x * 7 + y * 13) % 256, (x * x + y * 3) % 256, (x * y + 5 * x) % 256))
    return image


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def decoded(data: bytes) -> "str | None":
    try:
        image = Image.open(io.BytesIO(data)).convert("RGB")
    except (OSError, SyntaxError):
        return None
    return f"{image.width}x{image.height} {sha256(image.tobytes())}"


def sampled(data: bytes, factors: int) -> bytes:
    """The same coefficients under other sampling factors of the luma, for those that Pillow does not write."""
    at = max(data.find(b"\xff\xc0"), data.find(b"\xff\xc2"))
    return data[: at + 11] + bytes([factors]) + data[at + 12 :]


def segments(data: bytes) -> list[int]:
    """Where each marker segment begins, the end marker included."""
    at, found = 2, []
    while True:
        if data[at] != 0xFF or data[at + 1] == 0 or 0xD0 <= data[at + 1] <= 0xD7:
            at += 1
            continue
        found.append(at)
        if data[at + 1] == 0xD9:
            return found
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")


small: dict[str, bytes] = {}
for width, height in [(1, 1), (7, 5), (16, 16), (33, 17)]:
    for subsampling in ["4:4:4", "4:2:2", "4:2:0", "4:1:1"]:
        for progressive in [False, True]:
            name = f"{width}x{height} {subsampling} {'progressive' if progressive else 'baseline'}"
            small[name] = written(drawn(width, height), "JPEG", quality=60, subsampling=subsampling, progressive=progressive)
    small[f"{width}x{height} grey"] = written(drawn(width, height).convert("L"), "JPEG")
for name, subsampling, factors in [("4:4:0", "4:2:2", 0x12), ("4:4:1", "4:2:0", 0x14)]:
    small[f"32x32 {name}"] = sampled(written(drawn(32, 32), "JPEG", subsampling=subsampling), factors)
cmyk = drawn(17, 9).convert("CMYK")
small["cmyk"] = written(cmyk, "JPEG")
adobe = small["cmyk"].find(b"Adobe")
small["ycck"] = small["cmyk"][: adobe + 11] + b"\x02" + small["cmyk"][adobe + 12 :]


def inks(width: int, height: int) -> Image.Image:
    """Four channels that differ, black not being none."""
    colours = drawn(width, height)
    return Image.merge("CMYK", (*colours.split(), colours.convert("L").point(lambda value: 255 - value // 2)))


def spliced(width: int, height: int, factors: list[int]) -> bytes:
    """YCCK whose channels stand in scans of their own, each a grey JPEG's; for sizes that Pillow does not write."""
    across, down = max(one >> 4 for one in factors), max(one & 15 for one in factors)
    head, scans = b"", b""
    for number, (factor, plane) in enumerate(zip(factors, inks(width, height).split())):
        size = (-(-width * (factor >> 4) // across), -(-height * (factor & 15) // down))
        grey = written(plane.resize(size), "JPEG", quality=60)
        for at in segments(grey):
            whole = grey[at : at + 2 + int.from_bytes(grey[at + 2 : at + 4], "big")]
            if grey[at + 1] == 0xDB and number == 0:
                head += whole
            elif grey[at + 1] == 0xC4 and number == 0:
                head += whole
            elif grey[at + 1] == 0xDA:
                scans += b"\xff\xda\0\x08\x01" + bytes([number + 1]) + b"\0\0\x3f\0" + grey[at + len(whole) : -2]
    frame = b"\x08" + height.to_bytes(2, "big") + width.to_bytes(2, "big") + b"\x04"
    frame += b"".join(bytes([number + 1, factor, 0]) for number, factor in enumerate(factors))
    adobe = b"\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\x02"
    return b"\xff\xd8" + adobe + head + b"\xff\xc0" + (len(frame) + 2).to_bytes(2, "big") + frame + scans + b"\xff\xd9"


for width, height in [(3, 2), (17, 9), (33, 18)]:
    for subsampling in ["4:2:2", "4:2:0"]:
        for progressive in [False, True]:
            name = f"{width}x{height} {subsampling} {'progressive' if progressive else 'baseline'}"
            small[f"cmyk {name}"] = written(inks(width, height), "JPEG", quality=60, subsampling=subsampling, progressive=progressive)
    whole = small[f"cmyk {width}x{height} 4:2:0 baseline"]
    adobe = whole.find(b"Adobe")
    small[f"ycck {width}x{height} 4:2:0"] = whole[: adobe + 11] + b"\x02" + whole[adobe + 12 :]
    small[f"cmyk {width}x{height} 4:2:0 without Adobe's marker"] = whole[: adobe - 4] + whole[adobe + 12 :]
    for name, factors in [
        ("black whole", [0x22, 0x11, 0x11, 0x22]),
        ("half as high", [0x12, 0x11, 0x11, 0x12]),
        ("half as wide", [0x21, 0x11, 0x11, 0x21]),
        ("a quarter as wide", [0x41, 0x11, 0x11, 0x41]),
        ("a third as wide", [0x31, 0x11, 0x11, 0x31]),
        ("each in its own size", [0x44, 0x22, 0x14, 0x41]),
    ]:
        small[f"ycck {width}x{height} {name}"] = spliced(width, height, factors)
small["cmyk 17x9 whose sizes are no multiples"] = spliced(17, 9, [0x31, 0x21, 0x21, 0x31])
half = small["cmyk 33x18 4:2:0 baseline"]
small["cmyk 33x18 4:2:0 cut and ended"] = half[: len(half) // 2] + b"\xff\xd9"
small["rgb without conversion"] = written(drawn(17, 9), "JPEG", keep_rgb=True)
small["restarts by blocks"] = written(drawn(33, 17), "JPEG", restart_marker_blocks=1)
small["restarts by rows, progressive"] = written(drawn(33, 17), "JPEG", restart_marker_rows=1, progressive=True)
for kind in ["33x17 4:2:0 baseline", "33x17 4:2:0 progressive"]:
    whole = small[kind]
    for number, at in enumerate(segments(whole)):
        small[f"{kind}, stray bytes before marker {number}"] = whole[:at] + b"\x01\x02\xff\x00" + whole[at:]
    small[f"{kind}, filled"] = whole[: segments(whole)[1]] + b"\xff\xff" + whole[segments(whole)[1] :]
    small[f"{kind}, garbage behind the end"] = whole + b"\xff\xd8garbage\xff"
    for cut in [3, 30, len(whole) // 2, len(whole) - 9, len(whole) - 2, len(whole) - 1]:
        small[f"{kind}, cut at {cut}"] = whole[:cut]
        small[f"{kind}, cut at {cut} and ended"] = whole[:cut] + b"\xff\xd9"


def inserted(data: bytes, marker: int, content: bytes, before: int = 0xDA) -> bytes:
    """With one more segment before the first of a kind."""
    at = next(at for at in segments(data) if data[at + 1] == before)
    return data[:at] + bytes([0xFF, marker]) + (len(content) + 2).to_bytes(2, "big") + content + data[at:]


def table(head: int, counts: list[int], symbols: bytes) -> bytes:
    """A Huffman table by how many codes it has of each length."""
    return bytes([head, *counts, *[0] * (16 - len(counts))]) + symbols


TOO_MANY = [0, 5]
for kind in ["33x17 4:2:0 baseline", "33x17 4:2:0 progressive"]:
    whole = small[kind]
    for name, marker, content in [
        ("a table of too many codes that no scan names", 0xC4, table(0x13, TOO_MANY, bytes(5))),
        ("such a table with a sound one in its segment", 0xC4, table(0x13, TOO_MANY, bytes(5)) + table(0x12, [1], b"\1")),
        ("a table of too many codes that a scan names", 0xC4, table(0x00, TOO_MANY, bytes(5))),
        ("a table without codes that no scan names", 0xC4, table(0x13, [], b"")),
        ("conditions of arithmetic coding", 0xCC, b"\x00\x10\x10\x05"),
        ("conditions whose lower bound is above the upper one", 0xCC, b"\x00\x01"),
        ("conditions of a table that there is not", 0xCC, b"\x20\x10"),
        ("conditions that break off", 0xCC, b"\x00\x10\x00"),
    ]:
        small[f"{kind}, {name}"] = inserted(whole, marker, content)
    # Its last scan again, with the tables that it came with.
    last = max(at for at in segments(whole) if whole[at + 1] == 0xDA)
    small[f"{kind}, its last scan twice"] = whole[:-2] + whole[last:]
# A bad table that a sound one takes the place of.
whole = small["33x17 4:2:0 baseline"]
small["33x17 4:2:0 baseline, a bad table replaced"] = inserted(whole, 0xC4, table(0x00, TOO_MANY, bytes(5)), before=0xC4)

encoded = []
for width, height in [(1, 1), (2, 3), (8, 8), (15, 17), (16, 16), (33, 31), (100, 75)]:
    encoded.append({"width": width, "height": height, "sha256": sha256(written(drawn(width, height), "JPEG"))})

out = {
    "provenance": "Written by jpeg.py beside this file.",
    "versions": {"pillow": PIL.__version__, "libjpeg-turbo": features.version("libjpeg_turbo")},
    "files": files,
    "decoded": [{"name": name, "jpeg": data.hex(), "decoded": decoded(data)} for name, data in small.items()],
    "encoded": encoded,
}
json.dump(out, sys.stdout, separators=(",", ":"))
print()
