"""Draws the corpus by `dae render`, and holds the pictures of the conformance suite against those that it calls right.

renders.py DAE CORPUS: every document that draws anything must give a picture that is not empty, in a few seconds. Beside
the corpus lies a folder `pictures` with the suite's and a script that compares; of these, and of the pairs of documents
that the suite calls equal or different, as many must hold as did before. Each kind is one line on standard output; what
does not hold is on standard error.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
import numpy  # noqa: E402
from PIL import Image  # noqa: E402
from scipy.ndimage import gaussian_filter  # noqa: E402
from expected import is_drawn  # noqa: E402

HERE = Path(__file__).resolve().parent
# Of the picture's pixels, when all of the model is to be seen.
LEAST_COVERED = 0.02
MOST_SECONDS = 5
# Of 235 pictures, those that are alike, and whose silhouettes are; of 91 pairs, those that hold.
LEAST_ALIKE, LEAST_OUTLINED, LEAST_RELATED = 208, 189, 80
# Of two pictures that are equal.
LEAST_SIMILAR = 0.99
# Seconds, of pairs that move; the first for others.
TIMES = (0, 0.5, 1, 1.5, 2)
# Thin ones, which are seen by their edges.
THIN = {line.split("\t")[0] for line in (HERE / "thin.txt").read_text().splitlines()}


def rows(path):
    with open(path) as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def at_once(function, values):
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        return list(workers.map(function, values))


class Program:
    def __init__(self, dae, corpus, folder):
        self.dae, self.corpus, self.folder = dae, corpus, folder

    def draw(self, document, target, *options):
        """How it ended, and the seconds that it took of the processor."""
        command = [self.dae, "render", "-q", self.corpus / document, "-o", target, *options]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, usage.ru_utime + usage.ru_stime

    # MARK: The corpus

    def fault(self, row):
        """What is wrong with the picture of a document; `None` for nothing."""
        document = row["path"]
        said = subprocess.run(
            [self.dae, "inspect", "-q", "--format", "json", self.corpus / document], capture_output=True, text=True)
        inspected = json.loads(said.stdout) if said.stdout.startswith("{") else {}
        target = self.folder / (document.replace("/", "_")[-150:] + ".png")
        status, seconds = self.draw(document, target, "--camera", "fit", "--size", "256", "--background", "transparent")
        if seconds > MOST_SECONDS:
            return f"took {seconds:.1f} s"
        if row["expect"] == "fails":
            return None if status in (0, 4, 5, 6) else f"ended with {status}"
        if status not in (0, 1) or not target.exists():
            return f"ended with {status}"
        covered = (numpy.asarray(Image.open(target).getchannel("A")) > 0).mean()
        target.unlink()
        is_seen = covered >= LEAST_COVERED
        if is_seen == (document in THIN) and is_drawn(document, inspected):
            return f"covers {covered:.2%}"
        return None

    def check_corpus(self):
        documents = rows(self.corpus / "MANIFEST.tsv")
        faults = [(row["path"], fault) for row, fault in zip(documents, at_once(self.fault, documents)) if fault]
        for document, fault in faults:
            print(f"{document}: {fault}", file=sys.stderr)
        print(f"corpus: {len(documents) - len(faults)} of {len(documents)} documents are drawn, or fail as they should")
        return not faults

    # MARK: The suite

    def draw_as_suite(self, document, time, target, size=512):
        self.draw(document, target, "--style", "suite", "--size", str(size), f"--time={time}")
        return target if target.exists() else None

    def check_suite(self, pictures):
        wanted = rows(pictures / "PICTURES.tsv")

        def draw(row):
            size = Image.open(pictures / row["picture"]).width
            self.draw_as_suite(row["document"], row["seconds"], self.folder / row["picture"], size)

        at_once(draw, wanted)
        said = subprocess.run(
            [sys.executable, pictures / "compare.py", self.folder, "--worst", "0"], capture_output=True, text=True, check=True)
        print(f"suite: {said.stdout.strip()}")
        alike, _, outlined = (int(word) for word in said.stdout.replace(",", "").split() if word.isdigit())
        return alike >= LEAST_ALIKE and outlined >= LEAST_OUTLINED

    def holds(self, row):
        """Whether two documents look as the suite says of them."""
        alike = []
        moves = any(b"<animation" in (self.corpus / row[end]).read_bytes() for end in ("document", "reference"))
        for time in TIMES if moves else TIMES[:1]:
            names = [f"{abs(hash((row['document'], row['reference'], kind)))}-{time}.png" for kind in (0, 1)]
            both = [self.draw_as_suite(row[end], time, self.folder / name) for end, name in zip(("document", "reference"), names)]
            if None in both:
                return False
            alike.append(similarity(*both))
            for picture in both:
                picture.unlink()
        return (min(alike) >= LEAST_SIMILAR) == (row["relation"] == "equals")

    def check_relations(self):
        pairs = rows(self.corpus / "RELATIONS.tsv")
        held = at_once(self.holds, pairs)
        for row in (row for row, holds in zip(pairs, held) if not holds):
            print(f"does not hold: {row['document']} {row['relation']} {row['reference']}", file=sys.stderr)
        print(f"relations: {sum(held)} of {len(pairs)} hold")
        return sum(held) >= LEAST_RELATED


def similarity(first, second):
    """SSIM with a Gaussian window, of the colour in which the two are least alike."""
    first, second = (Image.open(path).convert("RGB") for path in (first, second))
    if first.tobytes() == second.tobytes():
        return 1.0
    return min(of_channel(*pair) for pair in zip(first.split(), second.split()))


def of_channel(first, second):
    first, second = (numpy.asarray(channel, dtype=float) for channel in (first, second))

    def blurred(channel):
        return gaussian_filter(channel, 1.5, truncate=3.5)

    (mean, other), small, smaller = (blurred(first), blurred(second)), (0.01 * 255) ** 2, (0.03 * 255) ** 2
    spread = blurred(first * first) - mean * mean + blurred(second * second) - other * other
    shared = blurred(first * second) - mean * other
    return (((2 * mean * other + small) * (2 * shared + smaller)) / ((mean**2 + other**2 + small) * (spread + smaller))).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dae")
    parser.add_argument("corpus", type=Path)
    options = parser.parse_args()
    pictures = options.corpus.resolve().parent / "pictures"
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.dae, options.corpus, Path(folder))
        good = [program.check_corpus()]
        if pictures.is_dir():
            good += [program.check_suite(pictures), program.check_relations()]
        else:
            print("suite: skipped, its pictures are not beside the corpus")
    sys.exit(not all(good))


if __name__ == "__main__":
    main()
