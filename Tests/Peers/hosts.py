"""Hosts on one machine: network namespaces on a bridge that stands in one of its own, and the servers that run in them."""

import ctypes
import http.client
import json
import os
import secrets
import signal
import subprocess
import time
from pathlib import Path

CLONE_NEWNET = 0x40000000
KEY, SECRET, BUCKET = "AKIDAED", "secretdaed", "nodes"
BALANCER, DATABASE, STORE, NODES = "192.0.2.4", "192.0.2.2", "192.0.2.3", ["192.0.2.11", "192.0.2.12", "192.0.2.13"]
PORT, FILER = 8080, 8888


class Failed(Exception):
    """What the trial stands on does not stand."""


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **more)
    if done.returncode:
        raise Failed(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def wait(what, seconds, question):
    """Asks again and again until the answer is true."""
    end = time.monotonic() + seconds
    while True:
        try:
            if question():
                return
        except (OSError, http.client.HTTPException, Failed):
            pass
        if time.monotonic() > end:
            raise Failed(f"{what}: not within {seconds} s")
        time.sleep(0.1)


def ask(host, path, port=PORT, method="GET", body=None, headers=None, timeout=30):
    """The status, the headers and the body of an answer."""
    connection = http.client.HTTPConnection(host, port, timeout=timeout)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


class Network:
    """The hosts. The process that makes it is in the namespace of the bridge from then on, and reaches them all."""

    def __init__(self):
        self.prefix = "dae" + secrets.token_hex(2)
        self.hub = self.prefix + "-hub"
        self.made, self.ends = [], {}

    def make(self, addresses):
        self.add(self.hub)
        run("ip", "-n", self.hub, "link", "add", "bridge", "type", "bridge")
        run("ip", "-n", self.hub, "address", "add", "192.0.2.1/24", "dev", "bridge")
        run("ip", "-n", self.hub, "link", "set", "bridge", "up")
        for address in addresses:
            name, end = self.name(address), "to" + address.rpartition(".")[2]
            self.add(name)
            run("ip", "-n", self.hub, "link", "add", end, "type", "veth", "peer", "name", "eth0", "netns", name)
            run("ip", "-n", self.hub, "link", "set", end, "master", "bridge", "up")
            run("ip", "-n", name, "address", "add", address + "/24", "dev", "eth0")
            run("ip", "-n", name, "link", "set", "eth0", "up")
            self.ends[address] = end
        with open(f"/run/netns/{self.hub}") as file:
            library = ctypes.CDLL(None, use_errno=True)
            if library.setns(file.fileno(), CLONE_NEWNET) != 0:
                raise Failed(f"setns: {os.strerror(ctypes.get_errno())}")

    def add(self, name):
        # First, so that it is removed whatever happens next.
        self.made.append(name)
        run("ip", "netns", "add", name)
        run("ip", "-n", name, "link", "set", "lo", "up")

    def name(self, address):
        return f"{self.prefix}-{address.rpartition('.')[2]}"

    def link(self, address, state):
        """The bridge's end of the cable: what talks to itself in there goes on doing so."""
        run("ip", "-n", self.hub, "link", "set", self.ends[address], state)

    def remove(self):
        for name in self.made:
            # Those alone that run in a namespace of ours. This process is in one, too.
            pids = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True).stdout.split()
            for pid in map(int, pids):
                if pid == os.getpid():
                    continue
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)
        self.made = []


class Server:
    """A program on a host. It is killed when the thread that started it ends, however that ends: the main one."""

    def __init__(self, network, address, log, command, user=None, environment=None):
        self.network, self.address, self.log = network, address, log
        self.command, self.user, self.environment = command, user, environment
        self.process = None

    def start(self):
        user = ["--reuid", str(self.user), "--regid", str(self.user), "--clear-groups"] if self.user else []
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", self.network.name(self.address), "setpriv", *user, "--pdeathsig", "KILL", *self.command],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, **(self.environment or {})})

    def send(self, number):
        self.process.send_signal(number)

    def end(self, number=signal.SIGTERM, seconds=30):
        if not self.process or self.process.poll() is not None:
            return
        self.process.send_signal(number)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)


class Database(Server):
    """PostgreSQL, which keeps what it has through a crash of its own."""

    def __init__(self, network, folder, programs):
        self.programs, self.password = programs, secrets.token_hex(8)
        self.url = f"postgresql://daed:{self.password}@{DATABASE}/postgres"
        # It does not run as root.
        user = 65534
        place, password = folder / "postgresql", folder / "password"
        place.mkdir()
        password.write_text(self.password)
        for path in (place, password):
            os.chown(path, user, user)
        data = place / "data"
        run("setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups", f"{programs}/initdb", "-D", str(data),
            "-U", "daed", "-A", "scram-sha-256", "--pwfile", str(password), "-E", "UTF8", "--locale=C", cwd=place)
        with open(data / "pg_hba.conf", "a") as file:
            file.write("host all all 192.0.2.0/24 scram-sha-256\n")
        settings = {"listen_addresses": DATABASE, "unix_socket_directories": "", "max_connections": "100"}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        super().__init__(network, DATABASE, folder / "postgresql.log", [f"{programs}/postgres", "-D", str(data), *options], user)

    def start(self):
        super().start()
        wait("PostgreSQL", 60, lambda: self.rows("SELECT 1 AS one"))

    def rows(self, query):
        sql = f"SELECT coalesce(json_agg(found), '[]') FROM ({query}) AS found"
        environment = {**os.environ, "PGCONNECT_TIMEOUT": "3"}
        return json.loads(run(f"{self.programs}/psql", "-XAtq", "-c", sql, self.url, env=environment))


class Store(Server):
    """SeaweedFS, whose filer tells without signatures what is there."""

    def __init__(self, network, folder, program):
        place, file = folder / "seaweedfs", folder / "s3.json"
        place.mkdir()
        who = {"name": "daed", "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
               "actions": ["Admin", "Read", "Write", "List", "Tagging"]}
        file.write_text(json.dumps({"identities": [who]}))
        options = {"dir": place, "ip": STORE, "ip.bind": STORE, "s3.config": file, "s3.port": 8333, "master.port": 9333,
                   "volume.port": 8081, "filer.port": FILER, "volume.max": 1000, "master.volumeSizeLimitMB": 64,
                   "master.telemetry": "false", "s3.autoCreateBucket": "false", "s3.port.iceberg": 0, "s3.port.lance": 0,
                   "s3.iam": "false"}
        words = [f"-{name}={value}" for name, value in options.items()]
        super().__init__(network, STORE, folder / "seaweedfs.log", [program, "-logtostderr=true", "server", "-s3", *words])

    def start(self):
        super().start()
        wait("the S3 server", 60, lambda: ask(STORE, "/", 8333)[0] == 403)
        wait("the bucket", 60, lambda: ask(STORE, f"/buckets/{BUCKET}/", FILER, "POST")[0] == 201)

    def keys(self, folder=f"/buckets/{BUCKET}/models"):
        """All keys below the location, without it."""
        found, last = [], ""
        while True:
            path = f"{folder}/?limit=1000&lastFileName={last}"
            status, _, body = ask(STORE, path, FILER, headers={"Accept": "application/json"})
            if status == 404:
                return found
            if status != 200:
                raise Failed(f"the filer answers {status} for {path}")
            listing = json.loads(body)
            for entry in listing.get("Entries") or []:
                # Go's bit for a folder.
                if entry["Mode"] >> 31 & 1:
                    found += self.keys(entry["FullPath"])
                else:
                    found.append(entry["FullPath"].removeprefix(f"/buckets/{BUCKET}/models/"))
            if not listing.get("ShouldDisplayLoadMore"):
                return found
            last = listing["LastFileName"]


class Balancer(Server):
    """nginx. It asks another node where one cannot be reached, but sends no upload twice by itself."""

    def __init__(self, network, folder, program):
        place = folder / "nginx"
        place.mkdir()
        nodes = " ".join(f"server {node}:{PORT} max_fails=1 fail_timeout=2s;" for node in NODES)
        bodies = " ".join(f"{kind}_temp_path {place}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        configuration = place / "nginx.conf"
        configuration.write_text(f"""
            daemon off; user root; worker_processes 1; pid {place}/pid;
            events {{ worker_connections 1024; }}
            http {{
                access_log off; {bodies}
                upstream nodes {{ {nodes} }}
                server {{
                    listen {BALANCER}:{PORT};
                    client_max_body_size 0;
                    proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
                    proxy_connect_timeout 2s; proxy_read_timeout 10s;
                    proxy_next_upstream error timeout http_502 http_503;
                    location / {{ proxy_pass http://nodes; }}
                    location = /v1/events {{ proxy_pass http://nodes; proxy_buffering off; proxy_read_timeout 25s; }}
                }}
            }}""")
        super().__init__(network, BALANCER, folder / "nginx.log",
                         [program, "-p", str(place), "-e", "stderr", "-c", str(configuration)])


class Node(Server):
    """A daed, and what restarts it: one that cannot start since the database or the store is away is started again."""

    def __init__(self, network, address, folder, program, arguments, environment):
        self.data = folder / f"node{address.rpartition('.')[2]}"
        self.data.mkdir(mode=0o700)
        self.refusals = 0
        super().__init__(network, address, folder / f"{self.data.name}.log",
                         [program, "serve", "--host", address, "--port", str(PORT), "--data", str(self.data), *arguments],
                         environment=environment)

    def is_ready(self):
        code = self.process.poll()
        if code == 69:
            self.refusals += 1
            self.start()
        elif code is not None:
            tail = Path(self.log).read_text(errors="replace").splitlines()[-3:]
            raise SystemExit(f"nodes: the node {self.address} ended with {code}: " + " | ".join(tail))
        return ask(self.address, "/readyz", timeout=3)[0] == 200
