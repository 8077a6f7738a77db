"""Tables, the plot and the page, all from benchmark.json alone."""

from xml.sax.saxutils import escape

NAMES = {
    "load": "Daedalus, load",
    "inspect": "dae inspect",
    "load-all-cores": "Daedalus, load, all cores",
    "inspect-json": "dae inspect --format json",
    "inspect-all-cores": "dae inspect, all cores",
    "validate": "dae validate",
    "validate-json": "dae validate --format json",
    "convert": "dae convert",
    "render": "dae render",
    "opencollada": "OpenCOLLADA",
    "assimp": "assimp",
    "assimp-export": "assimp export",
    "colladadom": "collada-dom",
    "pycollada": "pycollada",
    "opencolladavalidator": "opencolladavalidator",
    "xmllint": "xmllint --schema",
    "blender": "Blender, import and Workbench",
}
# No bar beside those that only read, on one core.
NO_BAR = ("convert", "render", "blender", "inspect-json", "validate-json", "assimp-export", "load-all-cores", "inspect-all-cores")
KINDS = {"mesh": "a few large meshes", "scene": "very many small nodes", "anim": "skinned and animated characters"}


def table(titles, rows):
    """Markdown, its columns as wide as their widest cell, so that it can be read as it is."""
    widths = [max(len(str(row[column])) for row in [titles, *rows]) for column in range(len(titles))]
    lines = [" | ".join(str(cell).ljust(width) for cell, width in zip(row, widths)) for row in [titles, *rows]]
    lines.insert(1, " | ".join("-" * width for width in widths))
    return "\n".join(f"| {line} |" for line in lines)


def verdict(value, must, goal=None, smaller=False):
    if must is None:
        return ""
    good = (lambda limit: value <= limit) if smaller else (lambda limit: value >= limit)
    if goal is not None and good(goal):
        return "goal reached"
    return "as it must be" if good(must) else "MISSED"


def number(value):
    return "" if value is None else f"{value:g}"


def megabytes(value):
    return "" if value is None else f"{value / 1e6:.1f} MB"


def measured(result):
    rows = []
    for row in result["measurements"]:
        if row["failure"] is not None:
            rows.append([row["input"], NAMES[row["program"]], f"ended with {row['failure']}", "", "", megabytes(row["peakBytes"]), row["runs"]])
            continue
        rate = number(row["megabytesPerSecond"])
        cpu, wall = f"{row['cpuSeconds']:.4f} s", f"{row['wallSeconds']:.4f} s"
        rows.append([row["input"], NAMES[row["program"]], cpu, wall, rate, megabytes(row["peakBytes"]), row["runs"]])
    return table(["input", "reader", "CPU", "wall time", "MB a CPU second", "peak memory", "runs"], rows)


def ratios(result):
    rows = [
        [
            row["input"], NAMES[row["what"]], NAMES[row["peer"]], f"{row['ratio']:.2f} ({row['least']:.2f}–{row['most']:.2f})",
            number(row["must"]), number(row["goal"]), verdict(row["ratio"], row["must"], row["goal"]),
        ]
        for row in result["ratios"]
    ]
    return table(["input", "of", "against", "times less CPU", "must", "goal", ""], rows)


def linearity(result):
    rows = [
        [
            row["kind"], NAMES[row["what"]], f"{row['from']:g} to {row['to']:g} MB", row["ratio"], row["must"],
            verdict(row["ratio"], row["must"], smaller=True),
        ]
        for row in result["linearity"]
    ]
    return table(["kind", "of", "from, to", "CPU a MB, times", "at most", ""], rows)


def memory(result):
    rows = [
        [
            row["input"], NAMES[row["what"]], megabytes(row["peakBytes"]), megabytes(row["mustBytes"]),
            verdict(row["peakBytes"], row["mustBytes"], smaller=True),
        ]
        for row in result["memory"]
    ]
    return table(["input", "of", "peak memory", "at most", ""], rows)


def conversions(result):
    rows = [
        [
            row["input"], megabytes(row["bytes"]), megabytes(row["peakBytes"]), megabytes(row["mustBytes"]),
            verdict(row["peakBytes"], row["mustBytes"], smaller=True), number(row["ofLoad"]), number(row["mustOfLoad"]),
            "" if row["ofLoad"] is None else verdict(row["ofLoad"], row["mustOfLoad"], smaller=True),
        ]
        for row in result["conversions"]
    ]
    return table(["input", "written", "peak memory", "at most", "", "CPU, times a load's", "at most", ""], rows)


def start_up(result):
    start = result["startUp"]
    rows = [
        ["CPU, median", f"{start['cpuSeconds'] * 1000:.1f} ms", f"{start['mustCPUSeconds'] * 1000:g} ms",
         verdict(start["cpuSeconds"], start["mustCPUSeconds"], smaller=True)],
        ["wall time, least", f"{start['wallLeastSeconds'] * 1000:.1f} ms", f"{start['mustWallSeconds'] * 1000:g} ms",
         verdict(start["wallLeastSeconds"], start["mustWallSeconds"], smaller=True)],
    ]
    return table([f"dae inspect of 1 kB, {start['runs']} runs", "", "at most", ""], rows)


def threads(result):
    rows = [
        [
            row["input"], f"{row['busiestSeconds']:.4f} s", f"{row['oneCoreSeconds']:.4f} s", row["ratio"], number(row["must"]),
            verdict(row["ratio"], row["must"], smaller=True), f"{row['wallSeconds']:.4f} s", f"{row['oneCoreWallSeconds']:.4f} s",
            f"{row['wallSeconds'] / row['oneCoreWallSeconds']:.2f}",
        ]
        for row in result["threads"]
    ]
    return table(
        ["load of", "busiest thread's CPU", "CPU on one core", "ratio", "at most", "", "wall time", "wall time on one core", "ratio"],
        rows,
    )


SECTIONS = [
    ("How many times less CPU", ratios, "The median of rounds in which all readers took turns, each on one core; in brackets the least and the most. *must* and *goal* are what this project set itself; a row without them is there to be seen. What is compared differs: a load of ours, assimp, collada-dom and pycollada keep the whole model, OpenCOLLADA hands out each object and keeps none, and `dae inspect` keeps figures alone, of which it reads every index and every position. assimp reads an archive's bytes as `.zae`."),
    ("Each reader", measured, "Whole processes, start included; medians. Each has one core, but for those of the rows *all cores*: to wake one core from another costs CPU that is no part of reading, and only Daedalus uses two. Before each counted run memory is touched and freed, a quarter more than the reader takes that takes most and 768 MB at least, but no more than half of what is free, so that none pays for fetching from its host what a virtual machine had given back. In JSON stands the SHA-256 of the file, too, which no peer computes: on a long mesh it takes nearly as long as all else. Ours are built as `scripts/dae` builds them, in release and without frame pointers; peers are as Debian and PyPI ship them and write nothing; megabytes are of the document, also where it is packed; validators hold a document against the schema, and dae validate holds it against the rules, too."),
    ("Longer documents", linearity, "CPU a megabyte, beside that of the shortest document."),
    ("Memory", memory, "Of runs on all cores. What `dae inspect` may hold: 32 MB, and 200 bytes for each element with an id and each node."),
    ("Conversion", conversions, "What `dae convert` takes to write a `.glb`: memory of at most twice the file; CPU beside that of a load."),
    ("Start-up", start_up, ""),
    ("Threads", threads, "A second thread inflates what is packed. What that saves of the wait is the ratio of the two wall times."),
]


def present(result):
    keys = {ratios: "ratios", linearity: "linearity", memory: "memory", conversions: "conversions", threads: "threads"}
    return [section for section in SECTIONS if section[1] not in keys or result.get(keys[section[1]])]


def text(result):
    return "\n\n".join(f"{title}\n\n{make(result)}" for title, make, _ in present(result)) + "\n"


def plot(result):
    """Megabytes of markup a CPU second of each reader: longer is better."""
    size = max((row["megabytes"] for row in result["inputs"] if row["megabytes"] <= 100), default=None)
    groups = []
    for kind in KINDS:
        for name, title in ((f"{kind}-{size:g}.dae", KINDS[kind]), (f"{kind}-{size:g}.zip", KINDS[kind] + ", zipped")):
            bars = [
                row for row in result["measurements"]
                if row["input"] == name and row["megabytesPerSecond"] and row["program"] not in NO_BAR
            ]
            if bars:
                groups.append((f"{name}: {title}", bars))
    most = max((row["megabytesPerSecond"] for _, bars in groups for row in bars), default=1)
    left, width, line, y, parts = 150, 450, 20, 34, []
    for title, bars in groups:
        parts.append(f'<text x="0" y="{y}" font-weight="bold">{escape(title)}</text>')
        y += 8
        for row in bars:
            own = row["program"] in ("load", "inspect", "validate")
            length = max(1.0, width * row["megabytesPerSecond"] / most)
            parts.append(f'<text x="{left - 8}" y="{y + 14}" text-anchor="end">{escape(NAMES[row["program"]])}</text>')
            parts.append(
                f'<rect x="{left}" y="{y + 3}" width="{length:.1f}" height="{line - 5}" fill="{"#1d6fd1" if own else "#9aa5b1"}"/>'
            )
            parts.append(f'<text x="{left + length + 6:.1f}" y="{y + 14}">{row["megabytesPerSecond"]:.0f}</text>')
            y += line
        y += 26
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 {y}" font-family="sans-serif" font-size="12">'
    back = f'<rect width="680" height="{y}" fill="#ffffff"/>'
    title = '<text x="0" y="12">Megabytes of COLLADA a CPU second; longer is better</text>'
    return "\n".join([head, back, title, *parts, "</svg>"]) + "\n"


def page(result):
    machine, versions = result["machine"], result["versions"]
    made_of = ", ".join(f"{name} {version}" for name, version in versions.items())
    corpus = result["corpus"]
    parts = [
        "# Benchmarks",
        "What reading COLLADA costs, side by side with other readers.",
        "## Overview",
        "![Megabytes of COLLADA that each reader gets through in a CPU second](benchmarks)",
        f"Measured on {result['date']} with `{result['command']}` at revision {result['revision']}: {machine['cpu']}, "
        f"{machine['cores']} cores, {machine['memoryBytes'] / 1e9:.0f} GB, {machine['system']}, {machine['architecture']}, "
        f"Swift {machine['swift']}. Peers and libraries: {made_of}.",
        "The documents are made by `scripts/benchmarks/generate.py`, the same bytes on every machine: "
        + "; ".join(f"*{kind}*: {words}" for kind, words in KINDS.items())
        + ". The name says how many megabytes."
        + (
            ""
            if corpus is None
            else f" *corpus*: the {corpus['readByAssimp']} of {corpus['files']} real models that assimp reads, in one process; {corpus['ofThoseFailedHere']} of them cannot be read here."
        ),
    ]
    for title, make, words in present(result):
        parts += [f"## {title}"] + ([words] if words else []) + [make(result)]
    parts += [
        "## Measure it yourself",
        "`dae bench model.zip` measures your own file, stage by stage. `scripts/benchmark` installs the peers, makes the "
        "documents, measures all of it and prints these tables; `scripts/benchmark --page` writes this page from what was "
        "measured. `scripts/benchmark --instructions` counts instructions, which do not depend on what else the machine does.",
        "`scripts/test` counts the instructions of four small fixed runs and fails where one needs over 5 % more than "
        "`scripts/benchmarks/instructions.json` says. `scripts/benchmark --update-baseline` writes that file anew.",
    ]
    return "\n\n".join(parts) + "\n"
