#!/usr/bin/env python3
"""Writes small images of every format that Pillow knows and the codec reads. images.py FOLDER

The first byte of each names its format to the fuzzer's target, in the order of its list."""

import io
import sys
from pathlib import Path

from PIL import Image

FORMATS = ["TGA", "BMP", "GIF", "DDS", "TIFF", "WEBP", "PNG", "JPEG"]
OPTIONS = {
    "TGA": [{}, {"compression": "tga_rle"}],
    "TIFF": [{}, {"compression": "tiff_lzw"}, {"compression": "tiff_adobe_deflate"}, {"compression": "packbits"}],
    "WEBP": [{"lossless": True}, {"quality": 50}],
}


def main(folder):
    for mode in ["RGB", "RGBA", "L", "P", "1", "I;16"]:
        image = Image.new(mode, (7, 5))
        if mode in ("RGB", "RGBA"):
            image.putdata([(x * 30, y * 40, x * y, 255 - x * 9)[: len(mode)] for y in range(5) for x in range(7)])
        elif mode in ("L", "P"):
            image.putdata(list(range(35)))
        for index, name in enumerate(FORMATS):
            for number, options in enumerate(OPTIONS.get(name, [{}])):
                file = io.BytesIO()
                try:
                    image.save(file, name, **options)
                except (OSError, ValueError, KeyError, SystemError):
                    continue  # the format does not have that mode, or this Pillow does not write it
                path = folder / f"{mode.replace(';', '')}-{name}-{number}"
                path.write_bytes(bytes([index]) + file.getvalue())


main(Path(sys.argv[1]))
