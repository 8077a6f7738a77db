#!/usr/bin/env python3
"""images.py FOLDER SEED COUNT: writes COUNT image files, and beside each what Pillow reads of it.

NAME.EXT is the file; NAME.EXT.rgba its pixels: width and height as two numbers of 32 bits, a byte that says by how much a
value may differ, then red, green, blue and alpha of each pixel. Files come from Pillow's writers, or are put together
here where it has none. The tests of DaeImages read them."""

import io
import random
import struct
import sys
from pathlib import Path

from PIL import Image, ImageDraw


def picture(rng, mode):
    """Flat parts, slopes and noise, in any size."""
    size = (rng.randint(1, 70), rng.randint(1, 70))
    bands = {"RGBA": 4, "LA": 2, "L": 1}.get(mode, 3)
    image = Image.merge(
        {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}[bands],
        [Image.linear_gradient("L").rotate(rng.choice([0, 90, 180])).resize(size) for _ in range(bands)],
    )
    draw = ImageDraw.Draw(image)
    for _ in range(rng.randint(0, 6)):
        x, y = rng.randrange(size[0]), rng.randrange(size[1])
        colour = tuple(rng.randrange(256) for _ in range(bands))
        draw.rectangle([x, y, x + rng.randint(0, 30), y + rng.randint(0, 30)], fill=colour if bands > 1 else colour[0])
    if rng.random() < 0.4:
        noise = Image.frombytes(image.mode, size, rng.randbytes(size[0] * size[1] * bands))
        image = Image.blend(image, noise, rng.random())
    if mode == "P":
        return image.quantize(rng.choice([2, 4, 13, 16, 100, 256]))
    return image.convert(mode)


def save(image, kind, **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def tga(rng):
    image = picture(rng, rng.choice(["L", "LA", "P", "RGB", "RGBA"]))
    if image.mode == "P" and len(image.getpalette()) < 768:
        image.putpalette(image.getpalette() + [0] * (768 - len(image.getpalette())))
    file = save(image, "TGA", compression=rng.choice([None, "tga_rle"]), orientation=rng.choice([-1, 1]))
    return file, image.convert("RGBA"), 0


def tga_of_16_bits(rng):
    w, h = rng.randint(1, 40), rng.randint(1, 40)
    header = struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, w, h, 16, rng.choice([0, 0x20]))
    return header + rng.randbytes(w * h * 2), None, 1


def bmp(rng):
    image = picture(rng, rng.choice(["1", "L", "P", "RGB", "RGBA"]))
    return save(image, "BMP"), None, 0


def bmp_header(rng, w, h, bits, packing, body, masks=b"", palette=b"", size=40):
    start = 14 + size + (len(masks) if size == 40 else 0) + len(palette)
    info = struct.pack("<IiiHHIIiiII", size, w, h, 1, bits, packing, len(body), 0, 0, len(palette) // 4, 0)
    info += masks.ljust(size - 40, b"\0") if size > 40 else masks
    return b"BM" + struct.pack("<IHHI", start + len(body), 0, 0, start) + info + palette + body


def bmp_of_fields(rng):
    w, h = rng.randint(1, 40), rng.randint(1, 40)
    bits, masks = rng.choice(
        [
            (16, (0xF800, 0x7E0, 0x1F, 0)),
            (16, (0x7C00, 0x3E0, 0x1F, 0)),
            (32, (0xFF0000, 0xFF00, 0xFF, 0)),
            (32, (0xFF0000, 0xFF00, 0xFF, 0xFF000000)),
            (32, (0xFF000000, 0xFF0000, 0xFF00, 0xFF)),
            (32, (0xFF, 0xFF00, 0xFF0000, 0xFF000000)),
        ]
    )
    body = rng.randbytes((w * bits + 31) // 32 * 4 * h)
    size = 124 if masks[3] else rng.choice([40, 108, 124])
    fields = struct.pack("<4I", *masks)[: 12 if size == 40 else 16]
    height = h if size == 40 else rng.choice([h, -h])
    return bmp_header(rng, w, height, bits, 3, body, fields, size=size), None, 1 if bits == 16 else 0


def bmp_of_runs(rng):
    w, h, deep = rng.randint(1, 40), rng.randint(1, 40), rng.choice([True, False])
    body = bytearray()
    for _ in range(h):
        x = 0
        while x < w:
            n = min(rng.randint(1, 20), w - x)
            # Pillow takes half a byte too few of a literal of an odd number of 4 bits.
            if n >= 3 and (deep or n % 2 == 0) and rng.random() < 0.5:
                literal = rng.randbytes(n if deep else (n + 1) // 2)
                body += bytes([0, n]) + literal + bytes(len(literal) % 2)
            else:
                body += bytes([n, rng.randrange(256)])
            x += n
        body += b"\0\0"
    body += b"\0\1"
    palette = b"".join(rng.randbytes(3) + b"\0" for _ in range(256 if deep else 16))
    return bmp_header(rng, w, h, 8 if deep else 4, 1 if deep else 2, bytes(body), palette=palette), None, 0


def gif(rng):
    image = picture(rng, rng.choice(["1", "L", "P"]))
    options = {"interlace": rng.choice([0, 1])}
    if image.mode == "P" and rng.random() < 0.5:
        options["transparency"] = rng.randrange(2)
    return save(image, "GIF", **options), None, 0


def tiff(rng):
    mode = rng.choice(["1", "L", "LA", "P", "RGB", "RGBA", "CMYK"])
    image = picture(rng, "RGB").convert("CMYK") if mode == "CMYK" else picture(rng, mode)
    packings = ["raw", "packbits", "tiff_lzw", "tiff_adobe_deflate", "tiff_deflate"]
    if mode == "1":
        packings += ["group3", "group4", "tiff_ccitt"]
    return save(image, "TIFF", compression=rng.choice(packings)), None, 1 if mode == "CMYK" else 0


def tiff_of_16_bits(rng):
    w, h = rng.randint(1, 40), rng.randint(1, 40)
    values = [rng.randrange(65536) for _ in range(w * h)]
    image = Image.frombytes("I;16", (w, h), struct.pack(f"<{w * h}H", *values))
    seen = Image.frombytes("L", (w, h), bytes(v >> 8 for v in values))
    return save(image, "TIFF", compression=rng.choice(["raw", "tiff_lzw"])), seen.convert("RGBA"), 1


def tiff_of_alpha(rng):
    """Put together here: alpha of both kinds, in strips, either byte order."""
    w, h, kind, order = rng.randint(1, 40), rng.randint(1, 40), rng.choice([1, 2]), rng.choice("<>")
    body = rng.randbytes(w * h * 4)
    if kind == 1:
        body = b"".join(bytes([c * p[3] // 255 for c in p[:3]] + [p[3]]) for p in zip(*[iter(body)] * 4))
    bits = 8 + len(body)
    entries = [(256, 4, 1, w), (257, 4, 1, h), (258, 3, 4, bits), (259, 3, 1, 1), (262, 3, 1, 2), (273, 4, 1, 8)]
    entries += [(277, 3, 1, 4), (278, 4, 1, h), (279, 4, 1, len(body)), (338, 3, 1, kind)]
    out = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", bits + 8) + body
    out += struct.pack(order + "4H", 8, 8, 8, 8) + struct.pack(order + "H", len(entries))
    for tag, type_, count, value in entries:
        short = type_ == 3 and count == 1
        out += struct.pack(order + "HHI", tag, type_, count) + struct.pack(order + ("HH" if short else "I"), *((value, 0) if short else (value,)))
    return out + bytes(4), None, 0


def webp(rng):
    image = picture(rng, rng.choice(["RGB", "RGBA"]))
    options = rng.choice([{"lossless": True, "exact": True}, {"quality": rng.randint(1, 100)}])
    return save(image, "WEBP", **options), None, 0


def dds(rng):
    return save(picture(rng, rng.choice(["RGB", "RGBA"])), "DDS"), None, 0


def dds_of_blocks(rng):
    w, h = rng.randint(1, 10) * 4, rng.randint(1, 10) * 4
    code, size, seen = rng.choice([(b"DXT1", 8, None), (b"DXT3", 16, None), (b"DXT5", 16, None), (b"DX10", 16, 83)])
    head = struct.pack("<4s7I44x", b"DDS ", 124, 0x81007, h, w, w * h // 16 * size, 0, 0)
    head += struct.pack("<2I4s5I4I4x", 32, 4, code, 0, 0, 0, 0, 0, 0x1000, 0, 0, 0)
    if seen:
        head += struct.pack("<5I", seen, 3, 0, 1, 0)
    file = head + rng.randbytes(w * h // 16 * size)
    return file, directions(file) if seen == 83 else None, 0


def directions(file):
    """Two channels as a direction of length 1: the third, which Pillow leaves at 0, points towards the viewer."""
    seen = Image.open(io.BytesIO(file)).convert("RGBA")
    half = 255 / 2
    rest = lambda red, green: max(0, 1 - (red / half - 1) ** 2 - (green / half - 1) ** 2) ** 0.5
    seen.putdata([(r, g, int(rest(r, g) * half + half + 0.5), a) for r, g, _, a in seen.getdata()])
    return seen


KINDS = [
    ("tga", tga), ("tga", tga_of_16_bits), ("bmp", bmp), ("bmp", bmp_of_fields), ("bmp", bmp_of_runs), ("gif", gif),
    ("tiff", tiff), ("tiff", tiff_of_16_bits), ("tiff", tiff_of_alpha), ("webp", webp), ("dds", dds), ("dds", dds_of_blocks),
]  # fmt: skip


def main():
    folder, seed, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for index in range(count):
        rng = random.Random(seed * 1_000_003 + index)
        extension, make = KINDS[index % len(KINDS)]
        file, seen, tolerance = make(rng)
        if seen is None:
            seen = Image.open(io.BytesIO(file)).convert("RGBA")
        path = folder / f"{index:04}-{make.__name__}.{extension}"
        path.write_bytes(file)
        Path(f"{path}.rgba").write_bytes(struct.pack("<IIB", *seen.size, tolerance) + seen.tobytes())


main()
