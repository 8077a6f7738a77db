"""Packs every document of the corpus, and holds the archive against what it was made of.

packs.py DAE CORPUS: `dae diff` must find nothing but other names of images, every image that was found must be found as it
is written, the schema's verdict must be the same, and packing what was packed must give the same bytes. What does not hold
is on standard error.
"""

import argparse
import collections
import csv
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# What is not there is out of an archive's reach, where it was out of a folder's.
MISSING = {("images", "reason"), ("images", "status"), ("images", "reference")}


class Packing:
    def __init__(self, dae, corpus, folder):
        self.dae, self.corpus, self.folder = dae, corpus, folder

    def said(self, *arguments):
        done = subprocess.run([self.dae, *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout

    def verdict(self, source):
        """How often each finding of markup and schema is there."""
        _, text = self.said("validate", "-q", "--format", "json", source)
        findings = json.loads(text)["findings"]["messages"] if text.startswith("{") else []
        return collections.Counter(row["code"] for row in findings if row["stage"] in ("xml", "schema"))

    def fault(self, row):
        """What is wrong with the archive of a document; `None` for nothing."""
        source = self.corpus / row["path"]
        place = self.folder / row["sha256"]
        place.mkdir(exist_ok=True)
        ending = ".kmz" if source.suffix == ".kmz" else ".zae"
        first, second = place / ("first" + ending), place / ("second" + ending)
        status, text = self.said("pack", source, "-o", first, "--force", "--format", "json")
        if row["expect"] == "fails" and status in (3, 4, 5, 6):
            return None
        if status not in (0, 1):
            return f"pack ended with {status}"
        absent = json.loads(text)["absent"]
        _, text = self.said("diff", "--format", "json", source, first)
        differences = json.loads(text)["differences"] if text else ["no answer of dae diff"]
        allowed = MISSING if absent else {("images", "reference")}
        others = [row for row in differences if (row["part"], row.get("property")) not in allowed and row["part"] != "images"]
        if others:
            return f"differs: {others[:2]}"
        _, text = self.said("resolve", "--format", "json", first)
        answers = [json.loads(text)] if text.startswith("{\n") else [json.loads(line) for line in text.splitlines()]
        found = [row for answer in answers for row in answer["references"] if row["status"] == "found"]
        if any(row["rule"] != "exact" for row in found):
            return f"found otherwise than as written: {[row['reference'] for row in found if row['rule'] != 'exact'][:2]}"
        if self.verdict(source) != self.verdict(first):
            return "the schema's verdict is another one"
        self.said("pack", first, "-o", second, "--force")
        if first.read_bytes() != second.read_bytes():
            return "packed again, it has other bytes"
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dae")
    parser.add_argument("corpus", type=Path)
    options = parser.parse_args()
    with open(options.corpus / "MANIFEST.tsv") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as workers:
        faults = list(workers.map(Packing(options.dae, options.corpus, Path(folder)).fault, rows))
    for row, fault in zip(rows, faults):
        if fault:
            print(f"{row['path']}: {fault}", file=sys.stderr)
    print(f"{faults.count(None)} of {len(rows)} documents are packed, or fail as they should")
    sys.exit(faults.count(None) < len(rows))


if __name__ == "__main__":
    main()
