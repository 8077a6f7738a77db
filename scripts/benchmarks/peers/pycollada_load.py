"""pycollada: the whole document as its objects."""

import sys

import collada

document = collada.Collada(sys.argv[1], ignore=[collada.common.DaeUnsupportedError])
print("geometries", len(document.geometries), "animations", len(document.animations), "errors", len(document.errors))
