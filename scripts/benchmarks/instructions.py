"""Counts instructions with callgrind: what else the machine does changes nothing about them.

The count of a program still depends on the compiler, on the C libraries, and a little on which functions of theirs suit
the processor; the widest of those are turned off.
"""

import json
import os
import platform
import re
import subprocess
import tempfile
from pathlib import Path

import inputs

TOLERANCE = 0.05
MEGABYTES = 1
BASELINE = Path(__file__).resolve().with_name("instructions.json")
# One seed for hashing, and no copying or searching by instructions that only some processors have.
SETTINGS = {
    "SWIFT_DETERMINISTIC_HASHING": "1",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-ERMS,-FSRM",
    "LC_ALL": "C",
}


class CountError(Exception):
    pass


def without_debug_information(program, folder):
    """A copy that valgrind can read, which takes some compilers' for corrupted; scripts are taken as they are."""
    copy = str(Path(folder, "program"))
    done = subprocess.run(["strip", "--strip-debug", "-o", copy, program], capture_output=True)
    return copy if done.returncode == 0 else program


def count(command):
    """Instructions of all threads of the command, which has to end well."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "callgrind.out")
        program, *arguments = map(str, command)
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--fair-sched=yes"]
        # Nothing else of the environment: looking through it counts, too.
        environment = {"PATH": os.environ["PATH"], **SETTINGS}
        done = subprocess.run(
            [*valgrind, without_debug_information(program, folder), *arguments], env=environment, capture_output=True, text=True, errors="replace"
        )
        if done.returncode != 0:
            raise CountError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr[-2000:]}")
        totals = re.findall(r"^(?:summary|totals): (\d+)", out.read_text(errors="replace"), re.MULTILINE)
    if not totals:
        raise CountError("callgrind did not say how many instructions there were")
    return int(totals[-1])


def workloads(dae, folder, small):
    documents = {kind: inputs.document(folder, kind, MEGABYTES) for kind in inputs.KINDS}
    commands = {kind: [dae, "inspect", "--format", "json", path] for kind, path in documents.items()}
    commands["start"] = [dae, "inspect", "--format", "json", small]
    return commands, {kind: inputs.sha256(path) for kind, path in documents.items()}


def version(command, pattern):
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    found = re.search(pattern, said)
    return found[1] if found else None


def circumstances(documents):
    """What must be the same for two counts to be comparable."""
    return {
        "swift": version(["swift", "--version"], r"Swift version (\S+)"),
        "architecture": platform.machine(),
        "libxml2": version(["pkg-config", "--modversion", "libxml-2.0"], r"(\S+)"),
        "glibc": platform.libc_ver()[1],
        "documents": documents,
    }


def take(dae, folder, small):
    commands, documents = workloads(dae, folder, small)
    return {"schemaVersion": 1, **circumstances(documents), "instructions": {name: count(each) for name, each in commands.items()}}


def update(dae, folder, small, say):
    taken = take(dae, folder, small)
    BASELINE.write_text(json.dumps(taken, indent=2) + "\n")
    for name, instructions in taken["instructions"].items():
        say(f"{name:6} {instructions:14,}")
    say(f"written to {BASELINE.relative_to(Path.cwd())}")
    return 0


def differences(baseline, here):
    return [
        f"{key} was {baseline.get(key)} and is {here[key]}"
        for key in ("swift", "architecture", "libxml2", "glibc", "documents")
        if baseline.get(key) != here[key]
    ]


def compare(baseline, counts):
    """The lines that say how the counts stand, and the names of those that grew too much."""
    lines, grown = [], []
    for name, instructions in counts.items():
        base = baseline.get(name)
        if not base:
            lines.append(f"{name:6} {instructions:14,}  not in the baseline")
            grown.append(name)
            continue
        change = instructions / base - 1
        word = "TOO MANY" if change > TOLERANCE else "fewer: the baseline may be lowered" if change < -TOLERANCE else ""
        lines.append(f"{name:6} {instructions:14,}  {change:+8.2%}  {word}".rstrip())
        if change > TOLERANCE:
            grown.append(name)
    return lines, grown


def guard(dae, folder, small, say):
    baseline = json.loads(BASELINE.read_text())
    commands, documents = workloads(dae, folder, small)
    other = differences(baseline, circumstances(documents))
    if other:
        say("instruction counts: SKIPPED, for they cannot be compared here:", *other, sep="\n  ")
        return 0
    lines, grown = compare(baseline["instructions"], {name: count(command) for name, command in commands.items()})
    say(*lines, sep="\n")
    if grown:
        say(f"over {TOLERANCE:.0%} more instructions than {BASELINE.name} says: {', '.join(grown)}.")
        say("Where that is worth it: scripts/benchmark --update-baseline, and why in the commit.")
        return 1
    return 0


def show(programs, folder, sizes, kinds, say):
    """A table of counts of loads and inspections, and of the peers there are."""
    for kind in kinds:
        for size in sizes:
            path = inputs.document(folder, kind, size)
            commands = {
                "load": [programs["load"], path],
                "inspect": [programs["dae"], "inspect", "--format", "json", path],
                **{name: [program, path] for name, program in programs["peers"].items() if name != "pycollada"},
            }
            for name, command in commands.items():
                try:
                    instructions = count(command)
                    say(f"{path.name:14} {name:12} {instructions:16,} {instructions / path.stat().st_size:8.1f} a byte")
                except CountError as error:
                    say(f"{path.name:14} {name:12} {error}")
    return 0
