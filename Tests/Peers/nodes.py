#!/usr/bin/env python3
"""Three daed on one PostgreSQL and one S3 server, behind a balancer, each on a host of its own: clients upload and watch while
nodes are killed, paused and cut off, the database is restarted and the store is away. Then it is checked that nothing which
was accepted was lost or done twice.

nodes.py DAED WEED [--uploads N] [--clients N] [--watchers N] [--seconds N] [--seed N] [--limit SECONDS] [--logs FOLDER]

Needs root, `ip netns`, nginx and PostgreSQL's server. What fails is said with its numbers, and it ends with 1 then; --seed
repeats the order of what happens, not its moments.
"""

import argparse
import collections
import hashlib
import http.client
import json
import random
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from hosts import (BALANCER, BUCKET, DATABASE, KEY, NODES, PORT, SECRET, STORE, Balancer, Database, Failed,  # noqa: E402
                   Network, Node, Store, ask, run, wait)

ROOT = Path(__file__).resolve().parents[2]
RANKS = {"downloading": 0, "unzipping": 1, "parsing": 2, "ready": 3, "failed": 3}
BUNDLES = ["chair.zip", "house.kmz", "lamp.zae", "walker.zip"]
# What a balancer says where a node is away, and a node where the database or the store is.
AWAY = (502, 503, 504)
# Seconds of silence after which a stream is given up: a node gives a sign of life every ten.
SILENCE = 20
DOCUMENT = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><created>2026-01-01T00:00:00Z</created>\
<modified>2026-01-01T00:00:00Z</modified></asset><library_visual_scenes><visual_scene id="s"><node id="n{0}"/></visual_scene>\
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""


def model(number):
    """A kind of model, the name of one, and bytes that no other number has."""
    bundle = BUNDLES[number % len(BUNDLES)]
    file, (stem, ending) = (ROOT / "Fixtures/bundles" / bundle).read_bytes(), bundle.split(".")
    match number % 10:
        case 3: return "broken document", f"broken-{number}.dae", DOCUMENT.format(number)[:-20].encode()
        case 7: return f"half of {bundle}", f"half-{number}.{ending}", file[: len(file) // 2] + f"{number:08}".encode()
        case 5: return "document", f"tiny-{number}.dae", DOCUMENT.format(number).encode()
    # As the archive's comment.
    assert file[-22:-18] == b"PK\5\6" and file[-2:] == b"\0\0", bundle
    comment = f"{number:08}".encode()
    return bundle, f"{stem}-{number}.{ending}", file[:-2] + len(comment).to_bytes(2, "little") + comment


class Clients:
    """Those who upload, each upload as often as it takes, and those who watch."""

    def __init__(self, token, given):
        self.token, self.given = {"Authorization": f"Bearer {token}"}, given
        self.lock, self.stop = threading.Lock(), threading.Event()
        self.accepted, self.unanswered, self.odd = {}, 0, collections.Counter()
        self.replays = 0

    def note(self, odd):
        with self.lock:
            self.odd[odd] += 1

    def upload(self, number, host=BALANCER):
        """Until it is accepted; nothing where the trial ends before."""
        _, name, body = model(number)
        headers = {**self.token, "Idempotency-Key": f"upload-{number}", "Content-Type": "application/octet-stream"}
        while not self.stop.is_set():
            try:
                status, answer, said = ask(host, f"/v1/assets?name={name}", PORT, "POST", body, headers)
            except (OSError, http.client.HTTPException):
                status = None
            if status == 201:
                asset = json.loads(said)["id"]
                with self.lock:
                    known = self.accepted.setdefault(number, asset)
                    self.replays += answer.get("Idempotency-Replayed") == "true"
                if known != asset:
                    self.note(f"upload {number} became {known} and {asset}")
                return asset
            with self.lock:
                self.unanswered += 1
            if status is not None and status not in AWAY:
                self.note(f"an upload was answered {status}: {said[:300]!r}")
            self.stop.wait(random.uniform(0.3, 1.5))
        return None

    def client(self, numbers):
        share = self.given.seconds / max(1, len(numbers))
        for at, number in enumerate(numbers):
            due = self.began + share * (at + random.random())
            self.stop.wait(max(0, due - time.monotonic()))
            self.upload(number)
            # A client that lost the answer asks again.
            if number % 10 == 0:
                self.upload(number)

    def start(self):
        self.began = time.monotonic()
        numbers = range(self.given.uploads)
        self.uploaders = [threading.Thread(target=self.client, args=(numbers[first::self.given.clients],), daemon=True)
                          for first in range(self.given.clients)]
        self.watchers = [Watcher(self) for _ in range(self.given.watchers)]
        for thread in self.watchers + self.uploaders:
            thread.start()


class Watcher(threading.Thread):
    """Listens to all events, at any node, and now and then leaves by itself."""

    def __init__(self, clients):
        super().__init__(daemon=True)
        self.clients, self.last, self.told, self.gaps, self.streams, self.refused = clients, 0, [], [], 0, 0

    def run(self):
        while not self.clients.stop.is_set():
            try:
                self.listen(time.monotonic() + random.uniform(10, 60))
            except (OSError, http.client.HTTPException):
                pass
            self.clients.stop.wait(random.uniform(0.1, 0.5))

    def listen(self, leaving):
        connection = http.client.HTTPConnection(BALANCER, PORT, timeout=SILENCE)
        try:
            connection.request("GET", "/v1/events", headers={**self.clients.token, "Last-Event-ID": str(self.last)})
            answer = connection.getresponse()
            if answer.status != 200:
                self.refused += 1
                if answer.status not in AWAY:
                    self.clients.note(f"the events were answered {answer.status}: {answer.read(300)!r}")
                return
            self.streams += 1
            fields = {}
            while time.monotonic() < leaving and not self.clients.stop.is_set():
                line = answer.readline()
                if not line.endswith(b"\n"):
                    return
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name:
                    fields[name] = value
                    continue
                # What is broken off in the midst does not count.
                self.hear(fields)
                fields = {}
        finally:
            connection.close()

    def hear(self, fields):
        if "id" not in fields:
            return
        self.last = int(fields["id"])
        if fields["event"] == "gap":
            self.gaps.append(fields["data"])
        else:
            self.told.append((self.last, fields["event"], fields["data"]))


class Trial:
    def __init__(self, given, folder):
        self.given, self.folder, self.began = given, folder, time.monotonic()
        self.network, self.random, self.failures = Network(), random.Random(given.seed), 0
        self.servers = []

    def say(self, line):
        print(f"{time.monotonic() - self.began:6.1f} s  {line}", flush=True)

    # What there is

    def make(self):
        self.network.make([DATABASE, STORE, BALANCER, *NODES])
        self.database = Database(self.network, self.folder, self.given.postgresql)
        self.store = Store(self.network, self.folder, self.given.weed)
        self.balancer = Balancer(self.network, self.folder, self.given.nginx)
        for server in (self.database, self.store, self.balancer):
            self.servers.append(server)
            server.start()
        kept = ["--database", self.database.url, "--store", f"s3://{BUCKET}/models"]
        unbounded = ["--rate", "0", "--client-streams", "0", "--client-requests", "0", "--queue-limit", "100000"]
        environment = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "DAED_S3_ENDPOINT": f"http://{STORE}:8333"}
        self.nodes = [Node(self.network, address, self.folder, self.given.daed, kept + unbounded, environment)
                      for address in NODES]
        token = run(self.given.daed, "token", "add", "trial", "--scope", "write", "--data", str(self.nodes[0].data), *kept,
                    env={"PATH": "/usr/bin:/bin", **environment}).strip()
        for node in self.nodes:
            self.servers.append(node)
            node.start()
        for node in self.nodes:
            wait(f"the node {node.address}", 60, node.is_ready)
        self.clients = Clients(token, self.given)

    def end(self):
        if hasattr(self, "clients"):
            self.clients.stop.set()
        for server in reversed(self.servers):
            if server.process and server.process.poll() is None:
                server.send(signal.SIGCONT)
        for server in reversed(self.servers):
            server.end(signal.SIGKILL)
        self.network.remove()

    # What happens

    def kill(self, node):
        self.say(f"{node.address} is killed")
        node.end(signal.SIGKILL)
        time.sleep(self.random.uniform(2, 5))
        node.start()

    def pause(self, node):
        self.say(f"{node.address} stands still for 20 s, longer than a claim holds")
        node.send(signal.SIGSTOP)
        time.sleep(20)
        node.send(signal.SIGCONT)

    def cut(self, server, seconds):
        self.say(f"{server.address} is cut off for {seconds} s")
        self.network.link(server.address, "down")
        time.sleep(seconds)
        self.network.link(server.address, "up")

    def restart(self, number):
        how = "as by a crash" if number == signal.SIGQUIT else "in good order"
        self.say(f"the database is stopped {how}, and started again")
        self.database.end(number, 60)
        time.sleep(self.random.uniform(1, 3))
        self.database.start()

    def trouble(self):
        node = lambda: self.random.choice(self.nodes)
        all_ = [lambda: self.kill(node())] * 2 + [lambda: self.pause(node())] * 2 + [lambda: self.cut(node(), 8)] * 2
        all_ += [lambda: self.restart(signal.SIGINT), lambda: self.restart(signal.SIGQUIT), lambda: self.cut(self.store, 10)]
        self.random.shuffle(all_)
        for each in all_:
            time.sleep(self.random.uniform(2, 6))
            each()
            for one in self.nodes:
                wait(f"the node {one.address}", 90, one.is_ready)

    def controls(self):
        """What becomes of each kind of model while nothing happens."""
        first = {}
        for number in range(1_000_000, 1_000_040):
            first.setdefault(model(number)[0], number)
        for number in first.values():
            self.clients.upload(number)
        self.settle()
        states = {row["id"]: row["state"] for row in self.database.rows("SELECT id, state FROM assets")}
        self.expected = {kind: self.outcome(states[self.clients.accepted[number]]) for kind, number in first.items()}
        for kind, outcome in sorted(self.expected.items()):
            self.say(f"{kind}: {' '.join(filter(None, outcome))}")

    @staticmethod
    def outcome(text):
        state = json.loads(text)
        return state["state"], state.get("code")

    def settle(self):
        wait("the end of all jobs", self.given.limit, lambda: self.database.rows("SELECT count(*) AS n FROM jobs")[0]["n"] == 0)

    def run(self):
        self.make()
        self.controls()
        self.clients.start()
        self.trouble()
        for thread in self.clients.uploaders:
            thread.join(max(1, self.began + self.given.limit - time.monotonic()))
        self.say("all is well again, and everything was sent")
        self.settle()
        newest = self.database.rows("SELECT max(number) AS n FROM events")[0]["n"]
        try:
            wait("the watchers", SILENCE + 10, lambda: all(watcher.last >= newest for watcher in self.clients.watchers))
        except Failed:
            pass  # which of them was not told of all is found below
        self.clients.stop.set()
        self.check()

    # What is checked

    def hold(self, holds, text, examples=()):
        self.failures += not holds
        self.say(f"{'ok    ' if holds else 'FAILED'}  {text}")
        for example in list(examples)[:5]:
            print(f"                    {example}", flush=True)

    def check(self):
        assets = {row["id"]: row for row in self.database.rows("SELECT id, state, sha256 FROM assets")}
        events = [(row["number"], row["kind"], {"asset": row["asset"], "data": json.loads(row["data"])})
                  for row in self.database.rows("SELECT number, kind, asset, data FROM events ORDER BY number")]
        self.check_outcomes(assets)
        self.check_events(events)
        self.check_watchers(events)
        self.check_bytes(assets)
        self.check_answers(assets)
        self.hold(not self.clients.odd, "no answer that is not to be expected", self.clients.odd.items())
        self.tell_errors()

    def check_outcomes(self, assets):
        accepted = self.clients.accepted
        lost = {asset for asset in accepted.values() if asset not in assets}
        count = self.given.uploads + len(self.expected)
        self.hold(len(accepted) == count and set(accepted.values()) == set(assets) and len(assets) == count,
                  f"{len(accepted)} of {count} uploads were accepted and are {len(assets)} assets; {len(lost)} lost; sent in "
                  f"vain {self.clients.unanswered} times, answered again {self.clients.replays} times", lost)
        wrong, counts = [], collections.Counter()
        for number, asset in accepted.items():
            if asset not in assets:
                continue
            outcome, expected = self.outcome(assets[asset]["state"]), self.expected[model(number)[0]]
            counts[" ".join(filter(None, outcome))] += 1
            if outcome != expected:
                wrong.append(f"{asset} ({model(number)[1]}) is not {expected}: {assets[asset]['state']}")
        self.hold(not wrong, f"each ended as one of its kind does while nothing happens: {dict(counts)}; {len(wrong)} otherwise",
                  wrong)

    def check_events(self, events):
        numbers, head = [number for number, _, _ in events], self.database.rows("SELECT number FROM eventhead")[0]["number"]
        self.hold(numbers == list(range(1, head + 1)), f"{len(numbers)} events are numbered without a hole up to {head}")
        ranks, backwards, settled = {}, [], collections.Counter()
        for number, kind, said in events:
            if kind != "state":
                continue
            asset, state = said["asset"], said["data"]
            rank = (state["attempt"], RANKS[state["state"]])
            if rank <= ranks.get(asset, (0, 0)):
                backwards.append(f"event {number}: {asset} {ranks[asset]} -> {rank}")
            ranks[asset] = rank
            settled[asset, state["attempt"]] += rank[1] == 3
        self.hold(not backwards, f"the events of {len(ranks)} assets are in the order of their states", backwards)
        ends = collections.Counter()
        for (asset, _), count in settled.items():
            ends[asset] += count
        wrong = [f"{asset}: {ends[asset]} times" for asset in ranks if ends[asset] != 1 or ranks[asset][1] != 3]
        again = sum(1 for attempt, _ in ranks.values() if attempt > 1)
        self.hold(not wrong, f"each asset was settled once, in its last attempt; {again} were begun more than once", wrong)

    def check_watchers(self, events):
        wrong = []
        for at, watcher in enumerate(self.clients.watchers):
            told = [(number, kind, json.loads(data)) for number, kind, data in watcher.told]
            if told == events and not watcher.gaps:
                continue
            numbers = collections.Counter(number for number, _, _ in told)
            missed = [number for number, _, _ in events if number not in numbers]
            twice = [number for number, count in numbers.items() if count > 1]
            other = sum(1 for each in told if each not in events)
            wrong.append(f"watcher {at}: missed {len(missed)} {missed[:5]}, twice {len(twice)} {twice[:5]}, otherwise {other}, "
                         f"gaps {watcher.gaps[:3]}")
        streams = sum(watcher.streams for watcher in self.clients.watchers)
        refused = sum(watcher.refused for watcher in self.clients.watchers)
        self.hold(not wrong, f"{len(self.clients.watchers)} watchers were told each of {len(events)} events once, in order, over "
                  f"{streams} streams; refused {refused} times", wrong)

    def check_bytes(self, assets):
        wrong = []
        for number, asset in self.clients.accepted.items():
            status, _, body = ask(NODES[number % 3], f"/v1/assets/{asset}/original", headers=self.clients.token)
            digest = hashlib.sha256(model(number)[2]).hexdigest()
            if status != 200 or hashlib.sha256(body).hexdigest() != digest or assets.get(asset, {}).get("sha256") != digest:
                wrong.append(f"{asset}: {status}, {len(body)} bytes")
        self.hold(not wrong, f"the bytes of {len(self.clients.accepted)} assets are what was sent", wrong)
        keys = self.store.keys()
        named = {row["object"]: row["sha256"] for row in self.database.rows("SELECT sha256, object FROM contents")}
        absent = set(named) - set(keys)
        self.hold(not absent, f"each of {len(named)} rows names an object that is there", absent)
        blobs = [key for key in keys if key.startswith("blobs/") and key not in named]
        # One for each upload that was sent in vain at most. Nobody takes them away before they are a day old, for they may
        # be about to get a row.
        pending = [key for key in blobs if re.fullmatch(r"blobs/../[0-9a-f]{64}\.[^./]+\.[^./]+", key)]
        digests = set(named.values())
        others = [key for key in keys if not key.startswith("blobs/") and re.split(r"[./]", key)[2] not in digests]
        self.hold(len(pending) == len(blobs) <= self.clients.unanswered and not others,
                  f"of {len(keys)} objects {len(blobs)} have no row and wait for the sweep, at most one for each of "
                  f"{self.clients.unanswered} uploads that were sent in vain; {len(others)} are of no asset", others)

    def check_answers(self, assets):
        sample = self.random.sample(sorted(assets), min(10, len(assets)))
        paths = ["", "/inspect", "/tree", "/files", "/report", "/model.glb"]
        wrong = []
        for path in [f"/v1/assets/{asset}{rest}" for asset in sample for rest in paths] + ["/v1/assets?limit=500"]:
            answers = [ask(node, path, headers=self.clients.token, timeout=60) for node in NODES]
            # A refusal bears the number of its request.
            seen = {(status, body if status == 200 else json.loads(body or b"{}").get("code")) for status, _, body in answers}
            if len(seen) != 1:
                wrong.append(f"{path}: {[(status, len(body)) for status, _, body in answers]}")
        self.hold(not wrong, f"the three nodes answer {len(sample) * len(paths) + 1} questions alike", wrong)

    def tell_errors(self):
        """What the nodes held for errors: not a fault by itself, since there were some."""
        counts = collections.Counter()
        for node in self.nodes:
            for line in Path(node.log).read_text(errors="replace").splitlines():
                try:
                    entry = json.loads(line)
                except ValueError:
                    counts[f"no JSON: {line[:160]}"] += 1
                    continue
                if entry.get("level") in ("error", "critical"):
                    counts[re.sub(r"\d+", "#", entry["message"])[:160]] += 1
        self.say(f"errors in the nodes' logs: {sum(counts.values())}; starts refused while others were away: "
                 f"{sum(node.refusals for node in self.nodes)}")
        for message, count in counts.most_common(12):
            print(f"            {count:6}  {message}", flush=True)


def ended(number, _):
    raise SystemExit(f"nodes: ended by {signal.Signals(number).name}" + (": too late" if number == signal.SIGALRM else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("daed", type=Path)
    parser.add_argument("weed", type=Path)
    parser.add_argument("--uploads", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--watchers", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=120, help="over which the uploads are spread")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--limit", type=int, default=1800, help="seconds that all of it may take")
    parser.add_argument("--logs", type=Path, help="gets the logs of all servers")
    given = parser.parse_args()
    if min(given.uploads, given.clients, given.limit) < 1 or given.watchers < 0:
        parser.error("there is at least one of each")
    given.daed, given.weed = str(given.daed.resolve()), str(given.weed.resolve())
    given.nginx = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/sbin")
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    given.postgresql = versions[-1].parent if versions else None
    if not given.nginx or not given.postgresql:
        sys.exit("nodes: nginx and PostgreSQL's server are needed")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, ended)
    signal.alarm(given.limit)
    folder = Path(tempfile.mkdtemp(prefix="daed-nodes-"))
    # The database runs as another user.
    folder.chmod(0o711)
    trial = Trial(given, folder)
    trial.say(f"seed {given.seed}, {given.uploads} uploads")
    try:
        trial.run()
    except Failed as failure:
        trial.hold(False, str(failure))
    finally:
        signal.alarm(0)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        trial.end()
        if given.logs:
            given.logs.mkdir(parents=True, exist_ok=True)
            for log in folder.glob("*.log"):
                shutil.copy(log, given.logs)
        shutil.rmtree(folder, ignore_errors=True)
    trial.say("all is as it should be" if not trial.failures else f"{trial.failures} checks failed")
    sys.exit(1 if trial.failures else 0)


if __name__ == "__main__":
    main()
