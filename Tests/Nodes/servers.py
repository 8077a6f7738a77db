"""The servers of the trial, each a program on a host: the database, the store, what stands before them, and the nodes."""

import concurrent.futures
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
from pathlib import Path

from hosts import BALANCER, BLOCK, DATABASE, LINKS, NODES, PORT, STORE, Ended, Failed, ask, run, wait

KEY, SECRET, BUCKET = "AKIDAED", "secretdaed", "nodes"
# The store's own, that of the proxy before it, and where it tells without signatures what is there.
S3, PROXY, FILER = 8333, 8000, 8888
HERE = Path(__file__).resolve().parent


class Server:
    """A program on a host. It is killed when this process ends, however that ends."""

    # The system ends a child with the thread that began it: one that lasts.
    starter = concurrent.futures.ThreadPoolExecutor(1)
    input = subprocess.DEVNULL

    def __init__(self, network, address, log, command, user=None, environment=None):
        self.network, self.address, self.log = network, address, log
        self.command, self.user, self.environment = command, user, environment
        self.process = None

    def start(self):
        user = ["--reuid", str(self.user), "--regid", str(self.user), "--clear-groups"] if self.user else []
        host = ["ip", "netns", "exec", self.network.name(self.address), "setpriv", *user, "--pdeathsig", "KILL"]
        with open(self.log, "ab") as log:
            self.process = self.starter.submit(
                subprocess.Popen, [*host, *self.command], stdin=self.input, stdout=log, stderr=log, text=True,
                env={**os.environ, **(self.environment or {})}).result()

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

    def execute(self, sql, seconds=120):
        environment = {**os.environ, "PGCONNECT_TIMEOUT": "3"}
        return run(f"{self.programs}/psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, self.url, seconds=seconds, env=environment)

    def rows(self, query):
        return json.loads(self.execute(f"SELECT coalesce(json_agg(found), '[]') FROM ({query}) AS found"))

    def count(self, table):
        return self.rows(f"SELECT count(*) AS n FROM {table}")[0]["n"]


class Store(Server):
    """SeaweedFS, whose filer tells without signatures what is there."""

    def __init__(self, network, folder, program):
        place, file = folder / "seaweedfs", folder / "s3.json"
        place.mkdir()
        who = {"name": "daed", "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
               "actions": ["Admin", "Read", "Write", "List", "Tagging"]}
        file.write_text(json.dumps({"identities": [who]}))
        options = {"dir": place, "ip": STORE, "ip.bind": STORE, "s3.config": file, "s3.port": S3, "master.port": 9333,
                   "volume.port": 8081, "filer.port": FILER, "volume.max": 1000, "master.volumeSizeLimitMB": 64,
                   "master.telemetry": "false", "s3.autoCreateBucket": "false", "s3.port.iceberg": 0, "s3.port.lance": 0,
                   "s3.iam": "false"}
        words = [f"-{name}={value}" for name, value in options.items()]
        super().__init__(network, STORE, folder / "seaweedfs.log", [program, "-logtostderr=true", "server", "-s3", *words])

    def start(self):
        super().start()
        wait("the S3 server", 60, lambda: ask(STORE, "/", S3)[0] == 403)
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


class Proxy(Server):
    """What the nodes reach the store by, and what may be in their way."""

    input = subprocess.PIPE

    def __init__(self, network, folder):
        program = [sys.executable, str(HERE / "s3_proxy.py")]
        super().__init__(network, STORE, folder / "proxy.log", [*program, STORE, str(PROXY), str(S3)])

    def start(self):
        super().start()
        wait("the proxy of the store", 30, lambda: ask(STORE, "/", PROXY)[0] == 403)

    def be(self, mode, **more):
        self.process.stdin.write(json.dumps({"mode": mode, **more}) + "\n")
        self.process.stdin.flush()


class Links(Server):
    """Where links lead."""

    def __init__(self, network, folder, triangles):
        program = [sys.executable, str(HERE / "links.py")]
        super().__init__(network, LINKS, folder / "links.log", [*program, LINKS, str(PORT), str(triangles)])

    def start(self):
        super().start()
        wait("the server of links", 30, lambda: ask(LINKS, "/0/any")[0] == 200)


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
                    location /v1/uploads {{ proxy_pass http://nodes; proxy_request_buffering off; }}
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
        self.refusals, self.lock, self.is_wanted = 0, threading.Lock(), False
        # More workers than by themselves: many wait for a link.
        bounds = ["--rate", "0", "--client-streams", "0", "--client-requests", "0", "--queue-limit", "100000", "--workers", "4"]
        place = ["--host", address, "--port", str(PORT), "--data", str(self.data), "--allow-addresses", BLOCK]
        super().__init__(network, address, folder / f"{self.data.name}.log",
                         [program, "serve", *place, *bounds, *arguments], environment=environment)

    def start(self):
        with self.lock:
            self.is_wanted = True
            super().start()

    def end(self, number=signal.SIGTERM, seconds=30):
        with self.lock:
            self.is_wanted = False
            super().end(number, seconds)

    def look_after(self):
        with self.lock:
            code = self.process.poll() if self.is_wanted else None
            if code == 69:
                self.refusals += 1
                super().start()
            elif code is not None:
                tail = Path(self.log).read_text(errors="replace").splitlines()[-3:]
                raise Ended(f"the node {self.address} ended with {code}: " + " | ".join(tail))

    def is_ready(self):
        self.look_after()
        return ask(self.address, "/readyz", timeout=3)[0] == 200
