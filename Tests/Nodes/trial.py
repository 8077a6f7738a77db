#!/usr/bin/env python3
"""Three daed on one PostgreSQL and one S3 server, behind a balancer, each on a host of its own: clients send and remove models
and watch, while nodes are killed, paused and cut off, the database is restarted and the store is away, refuses or is slow. Then
it is checked that nothing which was accepted was lost or done twice, and a day later that nothing is left which nobody has.

trial.py DAED WEED [--uploads N] [--clients N] [--watchers N] [--seconds N] [--seed N] [--limit SECONDS] [--logs FOLDER]

Needs root, `ip netns`, nginx and PostgreSQL's server. What fails is said with its numbers, and it ends with 1 then; --seed
repeats the order of what happens, not its moments.
"""

import argparse
import http.client
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import Checks, outcome  # noqa: E402
from clients import SILENCE, Clients  # noqa: E402
from hosts import ALONE, BALANCER, DATABASE, LINKS, NODES, STORE, Failed, Network, run, wait  # noqa: E402
from models import Model  # noqa: E402
from servers import BUCKET, KEY, PROXY, SECRET, Balancer, Database, Links, Node, Proxy, Store  # noqa: E402
from troubles import Troubles  # noqa: E402

# Numbers of models before those of the uploads: one of each kind and way, and meshes that are measured.
CONTROLS, MEASURED = 1_000_000, 2_000_000


class Trial:
    def __init__(self, given, folder):
        self.given, self.folder, self.began = given, folder, time.monotonic()
        self.network, self.random = Network(), random.Random(given.seed)
        self.servers, self.clients, self.checks = [], None, None

    def say(self, line):
        print(f"{time.monotonic() - self.began:6.1f} s  {line}", flush=True)

    def add(self, server):
        self.servers.append(server)
        server.start()
        return server

    def node(self, address, kept, environment):
        return Node(self.network, address, self.folder, self.given.daed, kept, environment)

    def token(self, node, kept=(), environment={}):
        return run(self.given.daed, "token", "add", "trial", "--scope", "write", "--data", str(node.data), *kept,
                   env={"PATH": "/usr/bin:/bin", **environment}).strip()

    def make(self):
        self.network.make([DATABASE, STORE, BALANCER, LINKS, *NODES, ALONE])
        self.database = self.add(Database(self.network, self.folder, self.given.postgresql))
        self.store = self.add(Store(self.network, self.folder, self.given.weed))
        self.proxy = self.add(Proxy(self.network, self.folder))
        self.add(Balancer(self.network, self.folder, self.given.nginx))
        kept = ["--database", self.database.url, "--store", f"s3://{BUCKET}/models"]
        environment = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "DAED_S3_ENDPOINT": f"http://{STORE}:{PROXY}"}
        made = [self.node(address, kept, environment) for address in NODES]
        token = self.token(made[0], kept, environment)
        self.nodes = [self.add(node) for node in made]
        for node in self.nodes:
            wait(f"the node {node.address}", 60, node.is_ready)
        self.clients = Clients(token, self.given)
        self.checks = Checks(self)

    def end(self):
        if self.clients:
            self.clients.stop.set()
        for server in reversed(self.servers):
            if server.process and server.process.poll() is None:
                server.send(signal.SIGCONT)
        for server in reversed(self.servers):
            server.end(signal.SIGKILL)
        self.network.remove()

    def measure(self):
        """How long a mesh keeps a worker busy here for a second, or nearly."""
        triangles, number = 25_000, MEASURED
        while True:
            model = Model(number, triangles)
            number += 1
            if (model.kind, model.way) != ("long mesh", "whole"):
                continue
            began = time.monotonic()
            sent = self.clients.send(model)
            self.settle()
            took = time.monotonic() - began
            self.clients.remove(sent)
            if took > 1 or triangles > 1_000_000:
                self.say(f"a mesh of {triangles} triangles takes {took:.1f} s")
                return triangles
            triangles *= 2

    def control(self):
        """What becomes of each kind of model, on each way, while nothing happens."""
        first = {}
        for number in range(CONTROLS, CONTROLS + 2000):
            model = Model(number, self.clients.triangles)
            if not model.is_removed:
                first.setdefault((model.kind, model.way), model)
        sent = [self.clients.send(model) for model in first.values()]
        self.settle()
        states = {row["id"]: row["state"] for row in self.database.rows("SELECT id, state FROM assets")}
        self.expected = {(one.model.kind, one.model.way): outcome(states[one.asset]) for one in sent}
        for (kind, way), found in sorted(self.expected.items()):
            self.say(f"{kind}, {way}: {' '.join(filter(None, found))}")

    def settle(self):
        wait("the end of all jobs", self.given.limit, lambda: self.database.count("jobs") == 0)

    def run(self):
        self.make()
        self.clients.triangles = self.measure()
        self.add(Links(self.network, self.folder, self.clients.triangles))
        self.control()
        self.clients.start()
        troubles = Troubles(self)
        threading.Thread(target=troubles.look_after, daemon=True).start()
        troubles.run()
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
        self.checks.run()
        self.pass_a_day()
        alone = self.node(ALONE, [], {})
        token = self.token(alone)
        self.add(alone)
        wait("the node that is alone", 60, alone.is_ready)
        self.checks.check_one_node(alone, {"Authorization": f"Bearer {token}"})
        self.checks.tell_errors()

    def pass_a_day(self):
        """What is left of what went wrong is removed by the next node that sweeps the store a day later."""
        hold, left = self.checks.hold, self.checks.objects_without_rows
        self.say(f"{len(left())} objects have no row; a day passes, and one node after the other is started anew")
        self.database.execute("UPDATE uploads SET expires = 0")
        self.proxy.be("a day later")
        codes = []
        for node in self.nodes:
            node.end(signal.SIGTERM)
            codes.append(node.process.returncode)
            self.database.execute("UPDATE sweeps SET begun = 0")
            node.start()
            wait(f"the node {node.address}", 60, node.is_ready)
        hold(codes == [0, 0, 0], f"the nodes ended with {codes}")
        try:
            wait("the sweep", 60, lambda: not left() and self.database.count("uploads") == 0)
        except Failed:
            pass
        hold(not left(), "no object is without a row", left())
        lost = self.checks.rows_without_objects()
        hold(not lost, "no row is without an object", lost)
        uploads = self.database.rows("SELECT id, phase, received, length FROM uploads")
        hold(not uploads, "no upload in pieces is left", uploads)


def ended(number, _):
    raise SystemExit(f"trial: ended by {signal.Signals(number).name}" + (": too late" if number == signal.SIGALRM else ""))


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
        sys.exit("trial: nginx and PostgreSQL's server are needed")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, ended)
    signal.alarm(given.limit)
    folder = Path(tempfile.mkdtemp(prefix="daed-nodes-"))
    # The database runs as another user.
    folder.chmod(0o711)
    trial = Trial(given, folder)
    trial.say(f"seed {given.seed}, {given.uploads} uploads")
    failed = 0
    try:
        trial.run()
        failed = trial.checks.failures
    except (Failed, OSError, http.client.HTTPException) as fault:
        failed = 1
        trial.say(f"FAILED  {fault}")
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
    trial.say("all is as it should be" if not failed else f"{failed} checks failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
