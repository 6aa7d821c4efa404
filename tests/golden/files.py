"""Writes files.json: small picture files of unusual kinds, and what Pillow's convert("RGB") makes of them;
the alpha is that of convert("RGBA").

pip install pillow==13.0.0
python files.py > files.json
"""
import io
import json
import struct
import sys
import zlib

import PIL
from PIL import Image, ImageCms, features

WIDTH, HEIGHT = 13, 5


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(bits, colour, channels, extra=b""):
    """By hand, because Pillow writes no grey of 2 and 4 bits and no colour of 16; samples are a formula."""
    top = (1 << bits) - 1
    rows = b""
    for y in range(HEIGHT):
        samples = [(7 * x + 5 * y + 3 * c + x * y) * (251 if bits == 16 else 1) & top
                   for x in range(WIDTH) for c in range(channels)]
        digits = "".join(f"{sample:0{bits}b}" for sample in samples)
        digits += "0" * (-len(digits) % 8)
        rows += b"\0" + int(digits, 2).to_bytes(len(digits) // 8, "big")
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, bits, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def dark():
    """Levels around 255, at which Pillow clips: 16 bits of which few are used, as depth maps have them."""
    rows = b"".join(b"\0" + b"".join((40 * y + 13 * x + 100).to_bytes(2, "big") for x in range(WIDTH)) for y in range(HEIGHT))
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 16, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def palette(bits):
    colours = bytes(v for i in range(1 << bits) for v in (i * 37 & 255, 255 - i * 11 & 255, i * 91 + 5 & 255))
    return chunk(b"PLTE", colours)


def jpeg(mode, **options):
    picture = Image.new(mode, (24, 16))
    cells = [(10 * x, 15 * y, 8 * (x + y) & 255, 6 * x) for y in range(16) for x in range(24)]
    picture.putdata([cell[:len(mode)] for cell in cells])
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=95, subsampling=0, **options)
    return out.getvalue()


def transformed(file):
    """Says YCCK where the file says CMYK: other colours, one and the same for every reader."""
    at = file.index(b"Adobe") + 11
    return file[:at] + b"\2" + file[at + 1:]


def unmarked(file):
    """The same without Adobe's marker."""
    at = file.index(b"\xff\xee")
    return file[:at] + file[at + 2 + struct.unpack(">H", file[at + 2:at + 4])[0]:]


def turned():
    exif = Image.Exif()
    exif[0x0112] = 6
    return jpeg("RGB", exif=exif)


# sRGB with red and green exchanged: who heeds the profile sees other colours.
profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
profile = profile.replace(b"rXYZ", b"?XYZ").replace(b"gXYZ", b"rXYZ").replace(b"?XYZ", b"gXYZ")
icc = chunk(b"iCCP", b"made\0\0" + zlib.compress(profile))
FILES = {f"palette of {bits} bits": png(bits, 3, 1, palette(bits)) for bits in (1, 2, 4, 8)}
FILES |= {f"grey of {bits} bits": png(bits, 0, 1) for bits in (1, 2, 4, 8)}
FILES |= {
    "palette of 2 bits with alpha": png(2, 3, 1, palette(2) + chunk(b"tRNS", bytes([0, 128, 255, 7]))),
    "grey of 4 bits with a clear level": png(4, 0, 1, chunk(b"tRNS", bytes([0, 3]))),
    "grey of 4 bits with a clear black": png(4, 0, 1, chunk(b"tRNS", bytes([0, 0]))),
    "grey of 1 bits with a clear white": png(1, 0, 1, chunk(b"tRNS", bytes([0, 1]))),
    "grey of 8 bits with a clear level": png(8, 0, 1, chunk(b"tRNS", bytes([0, 5]))),
    "colour with a clear colour": png(8, 2, 3, chunk(b"tRNS", bytes([0, 0, 0, 3, 0, 6]))),
    "colour of 16 bits": png(16, 2, 3),
    "colour of 16 bits with alpha": png(16, 6, 4),
    "grey of 16 bits": png(16, 0, 1),
    "grey of 16 bits with alpha": png(16, 4, 2),
    "grey of 16 bits with a clear level": png(16, 0, 1, chunk(b"tRNS", bytes([0, 251]))),
    "grey of 16 bits, dark": dark(),
    "colour with a profile": png(8, 2, 3, icc),
    "JPEG with a profile": jpeg("RGB", icc_profile=profile),
    "JPEG on its side": turned(),
    "CMYK JPEG": jpeg("CMYK"),
    "CMYK JPEG without a marker": unmarked(jpeg("CMYK")),
    "YCCK JPEG": transformed(jpeg("CMYK")),
}


def case(name, file):
    picture = Image.open(io.BytesIO(file))
    mode = picture.mode
    rgb = picture.convert("RGB")
    alpha = picture.convert("RGBA").getchannel("A").tobytes().hex()
    return dict(name=name, file=file.hex(), mode=mode, width=rgb.width, height=rgb.height, rgb=rgb.tobytes().hex(), alpha=alpha)


versions = dict(pillow=PIL.__version__, libjpeg_turbo=features.version("libjpeg_turbo"))
json.dump(dict(provenance="Written by files.py beside this file.", versions=versions,
               cases=[case(*one) for one in FILES.items()]), sys.stdout, separators=(",", ":"))
print()
