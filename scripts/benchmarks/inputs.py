"""The documents that readers are measured with: made once, kept in a folder."""

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

KINDS = ("mesh", "scene", "anim")
GENERATOR = Path(__file__).resolve().with_name("generate.py")


def document(folder, kind, megabytes):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{kind}-{megabytes:g}.dae"
    if not path.exists():
        made = path.with_suffix(".new")
        subprocess.run([sys.executable, GENERATOR, kind, str(megabytes), made], check=True, capture_output=True)
        made.rename(path)
    return path


def archive(path):
    """The document in a .zip, deflated as most programs do it, and the same file under the ending .zae."""
    packed = path.with_suffix(".zip")
    if not packed.exists():
        made = path.with_suffix(".new")
        with zipfile.ZipFile(made, "w") as file:
            # Not the file's own date: the same bytes each time. It says itself how it is packed: the archive's own
            # settings are for entries that it makes.
            entry = zipfile.ZipInfo(path.name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with file.open(entry, "w", force_zip64=True) as entry, path.open("rb") as source:
                while block := source.read(1 << 20):
                    entry.write(block)
        made.rename(packed)
    other = path.with_suffix(".zae")
    if not other.exists():
        other.symlink_to(packed.name)
    return packed, other


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def ids_and_nodes(path):
    """How many elements have an id, and how many are nodes: what memory may grow with."""
    ids = nodes = 0
    with path.open("rb") as file:
        for line in file:
            # A line of numbers has at most one tag at its front, which is all that is looked at.
            line = line[:400]
            ids += line.count(b' id="')
            nodes += line.count(b"<node ")
    return ids, nodes
