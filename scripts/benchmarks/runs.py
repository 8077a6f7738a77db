"""Runs programs and says what they cost; every number is of a whole process, its start included.

A program has one core, where that can be asked for: whoever works on two would else be charged for waking one from the
other, which is dear where the machine is a virtual one, and is no part of reading a document. For the same reason memory
is touched before each run: what a virtual machine gave back to its host is dear for whoever asks for it next.
"""

import json
import os
import shutil
import statistics
import subprocess


class Run:
    """One run: CPU and wall seconds, the peak of memory in bytes, the exit code, and what it printed."""

    def __init__(self, told, output):
        self.cpu, self.wall, self.peak, self.code = told["cpu"], told["wall"], told["peak"], told["code"]
        self.output = output


class Runner:
    def __init__(self, bin_folder, timeout):
        self.measured = bin_folder / "measured"
        self.output = bin_folder / "last-output"
        self.timeout = timeout
        core = max(os.sched_getaffinity(0))
        self.on_one_core = ["taskset", "-c", str(core)] if shutil.which("taskset") else []

    def run(self, command, all_cores=False, touched=0):
        """Some megabytes of memory are `touched` before it; that takes most of a second."""
        own = [self.measured, str(self.timeout), self.output, str(touched)]
        told = subprocess.run(
            [*([] if all_cores else self.on_one_core), *own, *map(str, command)],
            check=True, capture_output=True, text=True,
        )
        return Run(json.loads(told.stdout), self.output.read_text(errors="replace"))

    def rounds(self, commands, count, patience, all_cores=()):
        """Runs all commands in turn, `count` times, after one round that is not counted: A B C A B C …

        Those named in `all_cores` have more than one. A command whose first run takes more CPU than `patience` seconds,
        or fails, has that run only. Before each of the others as much memory is touched as any of them took.
        """
        runs, once, touched, most = {name: [] for name in commands}, set(), memory_touched(0), 0
        for number in range(count + 1):
            for name, command in commands.items():
                if name in once:
                    continue
                run = self.run(command, all_cores=name in all_cores, touched=touched)
                most = max(most, run.peak)
                if number == 0 and (run.cpu > patience or run.code != 0):
                    once.add(name)
                elif number == 0:
                    continue
                runs[name].append(run)
            touched = memory_touched(most)
        return runs


def memory_touched(peak):
    """Megabytes that are touched by large pages before a command: a quarter more than the `peak` of those it runs among."""
    return max(256, peak * 5 // 4 >> 20)


def measurement(source, size, program, runs):
    cpu = statistics.median(run.cpu for run in runs)
    failed = next((run for run in runs if run.code != 0), None)
    return {
        "input": source,
        "program": program,
        "runs": len(runs),
        "cpuSeconds": round(cpu, 4),
        "cpuLeast": round(min(run.cpu for run in runs), 4),
        "cpuMost": round(max(run.cpu for run in runs), 4),
        "wallSeconds": round(statistics.median(run.wall for run in runs), 4),
        "peakBytes": int(statistics.median(run.peak for run in runs)),
        "megabytesPerSecond": round(size / 1e6 / cpu, 1) if cpu > 0 and not failed else None,
        "failure": None if failed is None else failed.code,
    }


def ratio(theirs, ours):
    """How many times less CPU ours took: the median of the rounds, the least and the most; `None` where one failed."""
    if not theirs or not ours or any(run.code != 0 for run in theirs + ours):
        return None
    if len(theirs) == len(ours):
        each = [their.cpu / our.cpu for their, our in zip(theirs, ours) if our.cpu > 0]
    else:
        middle = statistics.median(our.cpu for our in ours)
        each = [their.cpu / middle for their in theirs if middle > 0]
    if not each:
        return None
    return round(statistics.median(each), 2), round(min(each), 2), round(max(each), 2)
