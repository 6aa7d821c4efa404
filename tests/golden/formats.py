"""Writes formats.json: small GIF, BMP, WebP and PNG files, sound and damaged, and what Pillow's convert("RGB") makes of them.

Each case has a name, the file in hexadecimal digits, and size and SHA-256 of the RGB bytes; `null` where Pillow refuses the file.
Files of which Pillow 11.2.1 and 13.0.0 make different pictures are not among them.

pip install pillow==13.0.0
python formats.py > formats.json
"""

import hashlib
import io
import json
import random
import struct
import zlib

import PIL
from PIL import Image, features

DRAW = random.Random(28)


def noise(count, below=256):
    return bytes(DRAW.randrange(below) for _ in range(count))


def lzw(pixels, bits):
    clear, end = 1 << bits, (1 << bits) + 1
    out, held, count = bytearray(), 0, 0

    def write(code, size):
        nonlocal held, count
        held |= code << count
        count += size
        while count >= 8:
            out.append(held & 255)
            held >>= 8
            count -= 8

    size, table, free, string = bits + 1, {}, end + 1, ()
    write(clear, size)

    def code(string):
        return table[string] if len(string) > 1 else string[0]

    for pixel in pixels:
        longer = string + (pixel,)
        if len(longer) == 1 or longer in table:
            string = longer
            continue
        write(code(string), size)
        if free < 4096:
            table[longer] = free
            free += 1
            if free - 1 == 1 << size and size < 12:
                size += 1
        else:
            write(clear, size)
            table, free, size = {}, end + 1, bits + 1
        string = (pixel,)
    if string:
        write(code(string), size)
    if free == 1 << size and size < 12:
        size += 1
    write(end, size)
    if count:
        out.append(held & 255)
    return bytes(out)


def blocks(data):
    parts = [data[at : at + 255] for at in range(0, len(data), 255)]
    return b"".join(bytes([len(part)]) + part for part in parts) + b"\0"


def gif(screen, frame, bits, *, palette=True, local=None, transparent=None, interlaced=False, damage=None, grey=False, dispose=0):
    left, top, width, height = frame
    rows = [list(noise(width, 1 << bits)) for _ in range(height)]
    if interlaced:
        order = [*range(0, height, 8), *range(4, height, 8), *range(2, height, 4), *range(1, height, 2)]
        rows = [rows[row] for row in order]
    pixels = [pixel for row in rows for pixel in row]
    if damage == "short":
        pixels = pixels[: len(pixels) // 2]
    if damage == "long":
        pixels += [0] * 9
    packed = lzw(pixels, max(2, bits))
    if damage == "cut":
        packed = packed[: len(packed) * 2 // 3]
    if damage == "no end":
        packed = packed[:-1]
    if damage == "flipped":
        packed = bytes([packed[0], packed[1] ^ 0x40]) + packed[2:]

    def colours(bits):
        return b"".join(bytes([one] * 3) for one in range(1 << bits)) if grey else noise(3 << bits)

    file = b"GIF89a" + struct.pack("<HHBBB", *screen, (0x80 | (bits - 1)) if palette else 0, 1, 0)
    if palette:
        file += colours(bits)
    file += b"!\xfe\x02hi\0"
    if transparent is not None:
        file += b"!\xf9\x04" + bytes([1 | dispose << 2, 5, 0, transparent, 0])
    file += b"," + struct.pack("<HHHHB", *frame, (0x40 if interlaced else 0) | ((0x80 | (local - 1)) if local else 0))
    if local:
        file += noise(3 << local)
    return file + bytes([max(2, bits)]) + blocks(packed) + (b"" if damage == "no trailer" else b";")


def bmp(header, width, height, bits, *, compression=0, masks=(), colours=None, declared=0, data=None, cut=0):
    if data is None:
        data = noise((width * bits + 31) // 32 * 4 * abs(height))
    data = data[: len(data) - cut]
    packed = b"".join(struct.pack("<I", mask) for mask in masks)
    if header == 12:
        head = struct.pack("<IHHHH", 12, width, height, 1, bits)
    else:
        head = struct.pack("<IiiHHIIiiII", header, width, height, 1, bits, compression, len(data), 2835, 2835, declared, 0)
        head += (packed + bytes(200))[: header - 40]
    extra = packed if header == 40 else b""
    palette = colours or b""
    at = 14 + len(head) + len(extra) + len(palette)
    return b"BM" + struct.pack("<IHHI", at + len(data), 0, 0, at) + head + extra + palette + data


def palette(count, size=4):
    return b"".join(noise(3) + bytes(size - 3) for _ in range(count))


def scale(count):
    return b"".join(bytes([level] * 3) + b"\0" for level in ((0, 255) if count == 2 else range(count)))


def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)


def webp(mode, lossless, place, more, flags, blend):
    size = (11, 7)
    still = io.BytesIO()
    Image.frombytes(mode, size, noise(len(mode) * 77)).save(still, "WEBP", lossless=lossless, quality=80, exact=True)
    body, parts, at = still.getvalue(), b"", 12
    while at < len(body):
        length = struct.unpack("<I", body[at + 4 : at + 8])[0]
        if body[at : at + 4] in (b"ALPH", b"VP8 ", b"VP8L"):
            parts += chunk(body[at : at + 4], body[at + 8 : at + 8 + length])
        at += 8 + length + length % 2

    def sides(*numbers):
        return b"".join(struct.pack("<I", number)[:3] for number in numbers)

    width, height = size[0] + place[0] + more, size[1] + place[1] + more
    frame = sides(place[0] // 2, place[1] // 2, size[0] - 1, size[1] - 1, 100) + bytes([blend]) + parts
    inside = chunk(b"VP8X", bytes([2 | flags, 0, 0, 0]) + sides(width - 1, height - 1))
    inside += chunk(b"ANIM", noise(4) + b"\0\0") + chunk(b"ANMF", frame)
    return b"RIFF" + struct.pack("<I", 4 + len(inside)) + b"WEBP" + inside


def png(damage):
    rows = b"".join(b"\0" + noise(15) for _ in range(6))
    packed = zlib.compress(rows)
    if damage in ("wrong sum", "wrong sum and more"):
        packed = packed[:-1] + bytes([packed[-1] ^ 1])
    if damage == "no sum":
        packed = packed[:-4]
    if damage in ("more behind the pixels", "wrong sum and more"):
        packed += b"more"
    parts = [packed[:20], packed[20:-2], packed[-2:]] if damage == "three parts" else [packed]

    def part(name, data, is_wrong=False):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data) ^ is_wrong)

    file = b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", 5, 6, 8, 2, 0, 0, 0))
    file += part(b"tEXt", b"Comment\0made", damage == "wrong text before")
    for data in parts:
        file += part(b"IDAT", data, damage == "wrong pixels")
    file += part(b"tEXt", b"Comment\0made", damage == "wrong text behind")
    return file if damage == "no end" else file + part(b"IEND", b"")


def still(width, height, bits, colour, rows, *, interlaced=0, extra=b"", cut=0, parts=1):
    """A PNG whose packed pixels end so many bytes early, in so many chunks."""
    packed = zlib.compress(rows)
    packed = packed[: len(packed) - cut]

    def part(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    file = b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, interlaced)) + extra
    step = -(-len(packed) // parts)
    for at in range(0, len(packed), step):
        file += part(b"IDAT", packed[at : at + step])
    return file + part(b"IEND", b"")


def early_ends():
    for name, bits, colour, row in [("colour", 8, 2, 45), ("alpha", 8, 6, 60), ("grey", 8, 0, 15), ("grey of 2 bits", 2, 0, 4), ("deep colour", 16, 2, 90)]:
        rows = b"".join(b"\0" + noise(row) for _ in range(9))
        for cut in (1, 4, 5, 6, 9):
            yield f"png {name}, {cut} bytes of its pixels missing", still(15, 9, bits, colour, rows, cut=cut)
        for kept in (8, 5, 1):
            yield f"png {name}, {kept} of 9 rows", still(15, 9, bits, colour, rows[: kept * (row + 1)])
        yield f"png {name}, half a row missing", still(15, 9, bits, colour, rows[: -row // 2])
        yield f"png {name}, a row too many", still(15, 9, bits, colour, rows + rows[: row + 1])
        for parts in (1, 3):
            whole = still(15, 9, bits, colour, rows, parts=parts)
            for cut in (1, 8, 12, 13, 16, 17, 18, 20, 21, 25, 40):
                yield f"png {name} in {parts} parts, {cut} bytes of the file missing", whole[:-cut]
    yield "png interlaced, too few rows", still(15, 9, 8, 2, b"".join(b"\0" + noise(45) for _ in range(9)), interlaced=1)


def cases():
    for bits in (1, 2, 4, 8):
        for interlaced in (False, True):
            yield f"gif {bits} bits{', interlaced' if interlaced else ''}", gif((9, 10), (0, 0, 9, 10), bits, interlaced=interlaced)
    for name, frame in [("inside", (2, 3, 4, 5)), ("touching", (0, 4, 9, 3)), ("beyond", (5, 6, 7, 8)), ("apart", (20, 0, 3, 3)), ("empty", (0, 0, 0, 4))]:
        for transparent in (None, 1, 200):
            yield f"gif frame {name}, transparent {transparent}", gif((9, 10), frame, 3, transparent=transparent, dispose=2)
    for name, options in [
        ("local palette", {"local": 3}),
        ("short local palette", {"local": 1}),
        ("no palette", {"palette": False}),
        ("greys", {"grey": True}),
        ("greys and a local palette", {"grey": True, "local": 3}),
    ]:
        yield f"gif {name}", gif((9, 10), (1, 1, 6, 7), 3, **options)
    yield "gif without a screen", gif((0, 0), (0, 0, 4, 4), 3)
    for damage in ("short", "long", "cut", "no end", "flipped", "no trailer"):
        yield f"gif {damage}", gif((9, 10), (0, 0, 9, 10), 4, damage=damage)
    for header in (12, 40, 52, 56, 64, 108, 124, 50):
        yield f"bmp header {header}", bmp(header, 7, 5, 24)
    for height in (5, -5):
        yield f"bmp 555, height {height}", bmp(40, 7, height, 16)
        yield f"bmp 565, height {height}", bmp(40, 7, height, 16, compression=3, masks=(0xF800, 0x7E0, 0x1F))
    every = b"".join(struct.pack("<H", value) for value in range(0, 65536, 409))
    yield "bmp 555, levels", bmp(40, 32, 5, 16, data=every[:320])
    yield "bmp 565, levels", bmp(56, 32, 5, 16, compression=3, masks=(0xF800, 0x7E0, 0x1F, 0), data=every[:320])
    yield "bmp 444", bmp(40, 7, 5, 16, compression=3, masks=(0xF00, 0xF0, 0xF))
    for masks in (
        (0xFF0000, 0xFF00, 0xFF, 0),
        (0xFF000000, 0xFF0000, 0xFF00, 0),
        (0xFF000000, 0xFF0000, 0xFF00, 0xFF),
        (0xFF, 0xFF00, 0xFF0000, 0xFF000000),
        (0xFF0000, 0xFF00, 0xFF, 0xFF000000),
        (0xFF000000, 0xFF00, 0xFF, 0xFF0000),
        (0, 0, 0, 0),
        (0xFF, 0xFF00, 0xFF0000, 0),
    ):
        yield f"bmp 32 bits, masks {masks}", bmp(108, 5, 4, 32, compression=3, masks=masks)
    yield "bmp 32 bits", bmp(40, 5, 4, 32)
    for bits in (1, 4, 8, 2):
        yield f"bmp {bits} bits, palette", bmp(40, 11, 4, bits, colours=palette(1 << bits))
        yield f"bmp {bits} bits, few colours", bmp(40, 11, 4, bits, colours=palette(2), declared=2)
    yield "bmp 1 bit, black and white", bmp(40, 11, 4, 1, colours=scale(2))
    yield "bmp 8 bits, greys", bmp(40, 11, 4, 8, colours=scale(256))
    yield "bmp of OS/2", bmp(12, 11, 4, 8, colours=palette(256, 3))
    runs = b"\x05\x11\x00\x04\x01\x02\x03\x04\x00\x00\x02\x33\x00\x05\x12\x34\x56\x78\x9a\x00\x00\x00\x09\x44\x00\x00\x00\x01"
    yield "bmp runs of bytes", bmp(40, 9, 3, 8, compression=1, colours=palette(256), data=runs)
    yield "bmp runs, cut", bmp(40, 9, 3, 8, compression=1, colours=palette(256), data=runs[:9])
    half = b"\x05\x12\x00\x04\x01\x23\x00\x00\x09\x45\x00\x00\x09\x67\x00\x00\x00\x01"
    yield "bmp runs of halves", bmp(40, 9, 3, 4, compression=2, colours=palette(16), data=half)
    yield "bmp cut", bmp(40, 7, 5, 24, cut=30)
    yield "bmp without its last padding", bmp(40, 7, 5, 24, cut=3)
    for mode, lossless, flags in [("RGB", True, 0), ("RGBA", True, 16), ("RGBA", True, 0), ("RGB", False, 16), ("RGBA", False, 16)]:
        for place, more in [((0, 0), 0), ((4, 2), 5)]:
            for blend in (0, 3):
                yield f"webp {mode}, lossless {lossless}, flags {flags}, at {place}, blend {blend}", webp(mode, lossless, place, more, flags, blend)
    for damage in (
        "nothing",
        "wrong sum",
        "no sum",
        "more behind the pixels",
        "wrong sum and more",
        "three parts",
        "wrong text before",
        "wrong text behind",
        "wrong pixels",
        "no end",
    ):
        yield f"png, {damage}", png(damage)
    yield from early_ends()


def decoded(file):
    try:
        with Image.open(io.BytesIO(file)) as image:
            rgb = image.convert("RGB")
    except Exception:  # Pillow refuses files by errors of many kinds.
        return None
    return f"{rgb.width}x{rgb.height} {hashlib.sha256(rgb.tobytes()).hexdigest()}"


found = [{"name": name, "file": file.hex(), "decoded": decoded(file)} for name, file in cases()]
head = {"provenance": "Written by formats.py beside this file.", "versions": {"pillow": PIL.__version__, "webp": features.version("webp")}}
lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in found)
print(json.dumps(head, separators=(",", ":"))[:-1] + ',"cases":[\n' + lines + "\n]}")
