"""What scripts/benchmark measures, and against which goals."""

import json
import statistics

import inputs
from runs import measurement, ratio

# How many times less CPU than the peer: (must, goal) of a load and of dae inspect.
GOALS = {
    ("mesh", "dae", "opencollada"): ((2.2, 2.7), (2.2, 3)),
    ("mesh", "dae", "assimp"): ((4.5, 6), (None, None)),
    ("scene", "dae", "assimp"): ((2.5, 3.5), (2.3, 3)),
    ("anim", "dae", "opencollada"): ((5, 6), (6, 8)),
    ("mesh", "zip", "assimp"): ((3.5, 4), (3.5, 4.5)),
    ("corpus", None, "assimp"): ((1.4, 1.7), (None, None)),
}
# Of dae validate, against the faster of the validators.
VALIDATE_GOALS = {"mesh": (1.4, 1.5), "scene": (2.3, 2.5), "anim": (3, 4)}
# Of dae convert, against `assimp export`; both write a .glb. assimp reads no other kind to its end.
CONVERT_GOALS = {"mesh": (3, 4)}
# How many times the CPU of our own load a conversion may take, and how many times its file's size the peak of memory.
CONVERT_OF_LOAD, CONVERT_MEMORY = 4, 2
GOAL_SIZE = 100
LINEAR_MUST = 1.1
INSPECT_MEMORY = 64_000_000
BYTES_PER_ELEMENT = 260
START_CPU, START_WALL = 0.008, 0.020
THREAD_MUST = 0.65
# What ours take where they may use all cores.
ALL_CORES = {"load": "load-all-cores", "inspect": "inspect-all-cores"}
# Beyond these megabytes a peer is measured only when all is asked for, for it takes minutes and gigabytes.
PATIENT_PEERS, ALL_PEERS = 500, 100


class Suite:
    def __init__(self, options, runner, programs, folder, say):
        self.options, self.runner, self.programs, self.folder, self.say = options, runner, programs, folder, say
        self.measurements, self.ratios, self.inputs, self.conversions = [], [], [], []
        self.ours = {}

    def result(self):
        for kind in self.options.kinds:
            for size in self.options.sizes:
                self.measure(kind, size)
                self.validators(kind, size)
                self.convert(kind, size)
                self.render(kind, size)
        corpus = self.corpus()
        return {
            "inputs": self.inputs,
            "measurements": self.measurements,
            "ratios": self.ratios,
            "linearity": self.linearity(),
            "memory": self.memory(),
            "conversions": self.conversions,
            "startUp": self.start_up(),
            "threads": self.threads(),
            "corpus": corpus,
        }

    # MARK: Generated documents

    def measure(self, kind, size):
        path = inputs.document(self.folder, kind, size)
        self.inputs.append({"name": path.name, "kind": kind, "megabytes": size, "bytes": path.stat().st_size})
        peers = {name: [program, path] for name, program in self.peers(size).items()}
        self.turn(kind, "dae", size, path.name, path, peers)
        if kind == "mesh" and size <= ALL_PEERS:
            packed, zae = inputs.archive(path)
            peers = {name: [program, zae] for name, program in self.peers(size).items() if name == "assimp"}
            self.turn(kind, "zip", size, packed.name, packed, peers, path.stat().st_size)

    def peers(self, size):
        chosen = {name: program for name, program in self.programs["peers"].items() if name in self.options.peers}
        if size > ALL_PEERS:
            chosen = {name: program for name, program in chosen.items() if name in ("assimp", "opencollada")}
        if size > ALL_PEERS and not (self.options.full and size <= PATIENT_PEERS):
            chosen = {}
        return chosen

    def turn(self, kind, form, size, name, path, peers, nominal=None):
        nominal = nominal or path.stat().st_size
        ours = {
            "load": [self.programs["load"], path],
            "inspect": [self.programs["dae"], "inspect", path],
            # The same and the SHA-256 of the file, which no peer computes.
            "inspect-json": [self.programs["dae"], "inspect", "--format", "json", path],
        }
        free = {name: ours[what] for what, name in ALL_CORES.items()}
        runs = self.runner.rounds({**ours, **free, **peers}, self.options.runs, self.options.patience, free)
        for program, done in runs.items():
            self.measurements.append(measurement(name, nominal, program, done))
            self.say_measured(self.measurements[-1])
        self.ours[kind, form, size] = {program: runs[program] for program in (*ours, *free)}
        for peer in peers:
            goals = GOALS.get((kind, form, peer), ((None, None), (None, None))) if size == GOAL_SIZE else ((None, None),) * 2
            for what, (must, goal) in zip(("load", "inspect"), goals):
                self.add_ratio(name, what, peer, ratio(runs[peer], runs[what]), must, goal)

    def add_ratio(self, source, what, peer, found, must, goal):
        if found:
            middle, least, most = found
            self.ratios.append(
                {"input": source, "what": what, "peer": peer, "ratio": middle, "least": least, "most": most}
                | {"must": must, "goal": goal}
            )

    def say_measured(self, row):
        rate = "" if row["megabytesPerSecond"] is None else f"{row['megabytesPerSecond']:8.1f} MB/s"
        failed = "" if row["failure"] is None else f"  failed with {row['failure']}"
        self.say(
            f"{row['input']:16} {row['program']:12} {row['cpuSeconds']:9.4f} s {row['peakBytes'] / 1e6:8.1f} MB"
            f" {rate}{failed}"
        )

    def validators(self, kind, size):
        """`dae validate` beside those that hold a document against the schema."""
        peers = {name: command for name, command in self.programs["validators"].items() if name in self.options.peers}
        if size > ALL_PEERS or not peers:
            return
        path = inputs.document(self.folder, kind, size)
        # The documents name textures that do not exist, and it is right to say so.
        ours = [self.programs["dae"], "validate", "--ignore", "IMAGE_NOT_FOUND", path]
        commands = {"validate": ours, "validate-json": [*ours, "--format", "json"]}
        commands |= {name: [*command, path] for name, command in peers.items()}
        runs = self.runner.rounds(commands, self.options.runs, self.options.patience)
        for program, done in runs.items():
            self.measurements.append(measurement(path.name, path.stat().st_size, program, done))
            self.say_measured(self.measurements[-1])
        ended = {name: statistics.median(run.cpu for run in runs[name]) for name in peers if all(run.code == 0 for run in runs[name])}
        for name in ended:
            is_held = size == GOAL_SIZE and ended[name] == min(ended.values())
            must, goal = VALIDATE_GOALS[kind] if is_held else (None, None)
            self.add_ratio(path.name, "validate", name, ratio(runs[name], runs["validate"]), must, goal)

    def convert(self, kind, size):
        """`dae convert` beside our own load, and `assimp export` where it comes to an end."""
        if size > ALL_PEERS:
            return
        path, target = inputs.document(self.folder, kind, size), self.folder / "converted.glb"
        commands = {"convert": [self.programs["dae"], "convert", "-q", "--force", path, "-o", target]}
        exporter = self.programs.get("exporter")
        if exporter and kind in CONVERT_GOALS and "assimp" in self.options.peers:
            commands["assimp-export"] = [exporter, "export", path, self.folder / "exported.glb"]
        runs = self.runner.rounds(commands, self.options.runs, self.options.patience)
        for program, done in runs.items():
            self.measurements.append(measurement(path.name, path.stat().st_size, program, done))
            self.say_measured(self.measurements[-1])
        self.ours.setdefault((kind, "convert", size), {})["convert"] = runs["convert"]
        must, goal = CONVERT_GOALS.get(kind, (None, None)) if size == GOAL_SIZE else (None, None)
        found = ratio(runs.get("assimp-export"), runs["convert"])
        self.add_ratio(path.name, "convert", "assimp-export", found, must, goal)
        if any(run.code != 0 for run in runs["convert"]):
            return
        written, load = target.stat().st_size, self.cost(kind, "load", size)
        peak, cpu = (statistics.median(getattr(run, figure) for run in runs["convert"]) for figure in ("peak", "cpu"))
        # Of a small document the start of the process is most.
        is_held = size == GOAL_SIZE
        self.conversions.append(
            {"input": path.name, "bytes": written, "peakBytes": int(peak)}
            | {"mustBytes": CONVERT_MEMORY * written if is_held else None}
            | {"ofLoad": round(cpu / load, 2) if load else None}
            | {"mustOfLoad": CONVERT_OF_LOAD if is_held and kind not in CONVERT_GOALS else None}
        )
        for made in (target, self.folder / "exported.glb"):
            made.unlink(missing_ok=True)

    def render(self, kind, size):
        """`dae render` beside programs that import a document and draw it, each from where it shows all of it."""
        if size > ALL_PEERS:
            return
        path, picture = inputs.document(self.folder, kind, size), self.folder / "picture.png"
        commands = {"render": [self.programs["dae"], "render", "-q", "--camera", "fit", path, "-o", picture]}
        chosen = {name: command for name, command in self.programs["renderers"].items() if name in self.options.peers}
        commands |= {name: [*command, path, self.folder / f"{name}.png"] for name, command in chosen.items()}
        runs = self.runner.rounds(commands, self.options.runs, self.options.patience, ("render",))
        for program, done in runs.items():
            self.measurements.append(measurement(path.name, path.stat().st_size, program, done))
            self.say_measured(self.measurements[-1])
        for name in chosen:
            self.add_ratio(path.name, "render", name, ratio(runs[name], runs["render"]), None, None)

    # MARK: What is made of them

    def cost(self, kind, what, size, form="dae"):
        runs = self.ours.get((kind, form, size), {}).get(what)
        return statistics.median(run.cpu for run in runs) if runs else None

    def linearity(self):
        rows, sizes = [], sorted(self.options.sizes)
        for kind in self.options.kinds:
            for size in sizes[1:]:
                for what, form in (("load", "dae"), ("inspect", "dae"), ("convert", "convert")):
                    small, large = self.cost(kind, what, sizes[0], form), self.cost(kind, what, size, form)
                    if small and large:
                        grown = (large / self.bytes(kind, size)) / (small / self.bytes(kind, sizes[0]))
                        rows.append(
                            {"kind": kind, "what": what, "from": sizes[0], "to": size, "ratio": round(grown, 3)}
                            | {"must": LINEAR_MUST}
                        )
        return rows

    def bytes(self, kind, size):
        return next(row["bytes"] for row in self.inputs if (row["kind"], row["megabytes"]) == (kind, size))

    def memory(self):
        rows = []
        for (kind, form, size), programs in self.ours.items():
            if form != "dae":
                continue
            path = inputs.document(self.folder, kind, size)
            allowed = INSPECT_MEMORY + BYTES_PER_ELEMENT * sum(inputs.ids_and_nodes(path))
            # As people run them.
            for what, runs in ((what, programs[name]) for what, name in ALL_CORES.items() if name in programs):
                peak = int(statistics.median(run.peak for run in runs))
                must = allowed if what == "inspect" else None
                rows.append({"input": path.name, "what": what, "peakBytes": peak, "mustBytes": must})
        return rows

    # MARK: Small and many

    def start_up(self):
        command = [self.programs["dae"], "inspect", self.programs["small"]]
        runs = self.runner.rounds({"inspect": command}, 20, self.options.patience, ("inspect",))["inspect"]
        return {
            "runs": len(runs),
            "cpuSeconds": round(statistics.median(run.cpu for run in runs), 4),
            "wallLeastSeconds": round(min(run.wall for run in runs), 4),
            "mustCPUSeconds": START_CPU,
            "mustWallSeconds": START_WALL,
        }

    def threads(self):
        """The busiest thread's CPU beside that of a load that may use one core only."""
        rows = []
        if not self.runner.on_one_core:
            return rows
        size = max((size for size in self.options.sizes if size <= GOAL_SIZE), default=None)
        if size is not None and "mesh" in self.options.kinds:
            path = inputs.archive(inputs.document(self.folder, "mesh", size))[0]
            load = [self.programs["load"], path]
            runs = self.runner.rounds(
                {"free": load, "one": load}, min(3, self.options.runs), self.options.patience, ("free",)
            )
            busiest = [max(json.loads(run.output)["threads"]) for run in runs["free"] if run.code == 0]
            if busiest:
                busy, one = statistics.median(busiest), statistics.median(run.cpu for run in runs["one"])
                wall = {name: round(statistics.median(run.wall for run in runs[name]), 4) for name in runs}
                rows.append(
                    {"input": path.name, "busiestSeconds": round(busy, 4), "oneCoreSeconds": round(one, 4)}
                    | {"wallSeconds": wall["free"], "oneCoreWallSeconds": wall["one"]}
                    | {"ratio": round(busy / one, 3), "must": THREAD_MUST if size == GOAL_SIZE else None}
                )
        return rows

    def corpus(self):
        """Every document that assimp reads, in one process each."""
        folder, assimp = self.options.corpus, self.programs["peers"].get("assimp")
        if not folder or not assimp or "assimp" not in self.options.peers:
            self.say("the corpus of real models: skipped")
            return None
        paths = sorted(str(path) for path in folder.rglob("*") if path.suffix.lower() in (".dae", ".zae") and path.is_file())
        # One by one: some end the process.
        readable = [path for path in paths if self.runner.run([assimp, path]).code == 0]
        size = sum((folder / path).stat().st_size for path in readable)
        runs = self.runner.rounds(
            {"load": [self.programs["load"], *readable], "assimp": [assimp, *readable]},
            self.options.runs, self.options.patience,
        )
        for program, done in runs.items():
            self.measurements.append(measurement("corpus", size, program, done))
            self.say_measured(self.measurements[-1])
        (must, goal), _ = GOALS["corpus", None, "assimp"]
        self.add_ratio("corpus", "load", "assimp", ratio(runs["assimp"], runs["load"]), must, goal)
        told = runs["load"][-1]
        failed = json.loads(told.output)["failed"] if told.code == 0 else len(readable)
        return {"files": len(paths), "readByAssimp": len(readable), "ofThoseFailedHere": failed, "bytes": size}
