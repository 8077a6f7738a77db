"""What scripts/benchmark runs once everything is installed and built. See its --help."""

import argparse
import contextlib
import datetime
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import inputs  # noqa: E402
import instructions  # noqa: E402
import report  # noqa: E402
from runs import Runner  # noqa: E402
from suite import Suite  # noqa: E402

TOP = Path(__file__).resolve().parents[2]
WORK = TOP / ".build-benchmark"
RESULT = TOP / "scripts/benchmarks/benchmark.json"
DOCC = TOP / "Sources/Daedalus/Daedalus.docc"
SMALL = "Fixtures/documents/bare.dae"
LOADERS = ("opencollada", "assimp", "colladadom", "pycollada")
VALIDATORS = ("opencolladavalidator", "xmllint")
RENDERERS = ("blender",)
PEERS = LOADERS + VALIDATORS + RENDERERS


def say(*words, sep=" "):
    print(*words, sep=sep, file=sys.stderr, flush=True)


def listed(allowed):
    def parse(text):
        words = [word for word in text.split(",") if word and text != "none"]
        unknown = [word for word in words if word not in allowed]
        if unknown:
            raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: expected some of {', '.join(allowed)}, or none")
        return words

    return parse


# Of a document, in megabytes: the longest fills a good part of a disk.
MOST_MEGABYTES = 100_000


def sizes(text):
    try:
        values = sorted({float(word) for word in text.split(",")})
    except ValueError:
        values = [0]
    if not all(0 < value <= MOST_MEGABYTES for value in values):
        raise argparse.ArgumentTypeError(f"{text}: expected megabytes above 0 and up to {MOST_MEGABYTES}, such as 10,100")
    return [int(value) if value == int(value) else value for value in values]


def whole(least, most):
    def parse(text):
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text}: expected a whole number from {least} to {most}")
        return int(text)

    return parse


def folder(text):
    if not os.path.isdir(text):
        raise argparse.ArgumentTypeError(f"{text}: no such folder")
    return Path(text)


def result_file(text):
    """Where a file can be written: hours of measuring are not to end in an error."""
    path = Path(text)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"{text}: a folder; expected a file")
    if not path.parent.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"{text}: cannot be written")
    return path


def arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/benchmark", allow_abbrev=False,
        description="Measures Daedalus side by side with other COLLADA readers, in CPU seconds and memory of whole processes.",
        epilog="What it makes lies in .build-benchmark and may be removed at any time; documents of 500 MB and 2 GB need 10 GB.",
    )
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--instructions", action="store_true", help="count instructions (callgrind) instead, of 1 MB unless --sizes says more")
    mode.add_argument("--guard", action="store_true", help="count instructions of four small runs; fail where they are over 5 %% above the baseline")
    mode.add_argument("--update-baseline", action="store_true", help="write that baseline anew")
    mode.add_argument("--page", action="store_true", help="measure nothing: write the page Benchmarks and its plot from benchmark.json")
    parser.add_argument("--sizes", type=sizes, metavar="MB,…", help="megabytes of the documents (default: 10,100,500)")
    parser.add_argument("--kinds", type=listed(inputs.KINDS), metavar="KIND,…", help="of mesh, scene, anim (default: all)")
    parser.add_argument("--peers", type=listed(PEERS), metavar="PEER,…", help=f"of {', '.join(PEERS)}, or none (default: all)")
    parser.add_argument("--runs", type=whole(1, 1000), default=5, metavar="N", help="rounds, of which the medians are told (default: 5)")
    parser.add_argument("--full", action="store_true", help="also documents of 2 GB, and peers on those of 500 MB")
    parser.add_argument("--patience", type=whole(0, 86400), default=20, metavar="S", help="a reader that takes more CPU seconds runs once (default: 20)")
    parser.add_argument("--timeout", type=whole(1, 86400), default=600, metavar="S", help="a reader is ended after so many seconds (default: 600)")
    parser.add_argument("--corpus", type=folder, metavar="FOLDER", help="real models ($DAE_CORPUS, else ../shared/corpus where that is)")
    parser.add_argument("--output", type=result_file, default=RESULT, metavar="FILE", help="where the result goes (default: scripts/benchmarks/benchmark.json)")
    options = parser.parse_args()
    if options.page and not options.output.is_file():
        parser.error(f"--page: there is no {options.output} to make it of")
    options.kinds = list(inputs.KINDS) if options.kinds is None else options.kinds
    options.peers = list(PEERS) if options.peers is None else options.peers
    if options.sizes is None:
        options.sizes = [1] if options.instructions else [10, 100, 500] + ([2000] if options.full else [])
    if options.corpus is None:
        corpus = Path(os.environ.get("DAE_CORPUS") or TOP.parent / "shared/corpus")
        options.corpus = corpus if corpus.is_dir() else None
    return options


def programs():
    """The paths that the shell part hands over; a peer that could not be built is left out."""
    folder = WORK / "bin"
    peers = {name: folder / f"{name}_load" for name in LOADERS}
    return {
        "dae": TOP / os.environ["DAE"],
        "load": Path(os.environ.get("DAE_LOAD", "")),
        "small": TOP / SMALL,
        "peers": {name: path for name, path in peers.items() if os.access(path, os.X_OK)},
        "validators": validators(),
        "exporter": shutil.which("assimp"),
        "renderers": renderers(),
    }


def renderers():
    """Commands that take a document and the file for its picture."""
    if not shutil.which("blender") or not shutil.which("Xvfb"):
        say("blender, or Xvfb for its Workbench, is not here: it is left out")
        return {}
    script = TOP / "scripts/benchmarks/peers/blender_render.py"
    return {"blender": ["blender", "--background", "--factory-startup", "--python-exit-code", "1", "--python", script, "--"]}


@contextlib.contextmanager
def display():
    """A screen for programs that draw by OpenGL: its own costs are nobody's."""
    if not shutil.which("Xvfb"):
        yield
        return
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "640x480x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as said:
            os.environ["DISPLAY"] = f":{said.readline().strip()}"
        try:
            yield
        finally:
            server.terminate()


def validators():
    """Commands that take a document; one that is not installed, or lacks the schema, is left out."""
    schema = Path(os.environ.get("DAE_SCHEMAS") or TOP.parent / "shared/reference/xsd") / "collada_schema_1_4_1.xsd"
    found = {}
    if shutil.which("opencolladavalidator"):
        found["opencolladavalidator"] = ["opencolladavalidator"]
    if schema.is_file() and shutil.which("xmllint"):
        # As a stream: on long documents the faster of its two ways.
        found["xmllint"] = ["xmllint", "--noout", "--nonet", "--stream", "--huge", "--schema", schema]
    else:
        say("xmllint, or the COLLADA schema ($DAE_SCHEMAS), is not here: it is left out")
    return found


def first_line(path, start):
    try:
        for line in Path(path).read_text().splitlines():
            if line.startswith(start):
                return line.split("=" if "=" in line else ":", 1)[1].strip().strip('"')
    except OSError:
        pass
    return "unknown"


def machine():
    return {
        "cpu": first_line("/proc/cpuinfo", "model name"),
        "cores": len(os.sched_getaffinity(0)),
        "memoryBytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "architecture": platform.machine(),
        "system": first_line("/etc/os-release", "PRETTY_NAME"),
        "swift": instructions.version(["swift", "--version"], r"Swift version (\S+)") or "unknown",
    }


def versions():
    packages = {
        "assimp": "libassimp-dev", "OpenCOLLADA": "opencollada-dev", "collada-dom": "libcollada-dom-dev",
        "libxml2": "libxml2-dev", "libzip": "libzip-dev", "ISA-L": "libisal-dev", "Blender": "blender",
    }
    found = {name: instructions.version(["dpkg-query", "-W", "-f", "${Version}", package], r"(\S+)") for name, package in packages.items()}
    python = WORK / "venv/bin/python"
    found["pycollada"] = instructions.version([python, "-c", "from importlib.metadata import version as v; print(v('pycollada'))"], r"(\S+)")
    return {name: version for name, version in found.items() if version}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    say(f"written: {path.relative_to(TOP) if path.is_relative_to(TOP) else path}")


def measure(options):
    found = programs()
    runner = Runner(WORK / "bin", options.timeout)
    suite = Suite(options, runner, found, WORK / "documents", say)
    given = sys.argv[1:]
    if "--output" in given:
        at = given.index("--output")
        del given[at : at + 2]
    given = [word for word in given if not word.startswith("--output=")]
    result = {
        "schemaVersion": 1,
        "date": datetime.date.today().isoformat(),
        "command": " ".join(["scripts/benchmark", *given]),
        "revision": instructions.version(["git", "-C", TOP, "rev-parse", "--short", "HEAD"], r"(\S+)") or "unknown",
        "machine": machine(),
        "versions": versions(),
        "runs": options.runs,
    }
    with display():
        result |= suite.result()
    print(report.text(result), end="")
    write(options.output.absolute(), json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    return 0


def page(options):
    try:
        result = json.loads(options.output.read_text())
    except ValueError as error:
        say(f"{options.output} is not JSON: {error}")
        return 1
    write(DOCC / "Benchmarks.md", report.page(result))
    write(DOCC / "Resources/benchmarks.svg", report.plot(result))
    return 0


def main():
    options = arguments()
    if options.page:
        return page(options)
    if "DAE" not in os.environ:
        return 0
    # From the top folder and by short paths: how long a path is counts.
    os.chdir(TOP)
    documents = WORK.relative_to(TOP) / "documents"
    try:
        if options.guard or options.update_baseline:
            work = instructions.guard if options.guard else instructions.update
            return work(Path(os.environ["DAE"]), documents, Path(SMALL), say)
        if options.instructions:
            return instructions.show(programs(), documents, options.sizes, options.kinds, print)
    except instructions.CountError as error:
        say(error)
        return 1
    return measure(options)


if __name__ == "__main__":
    sys.exit(main())
