"""Hosts on one machine: network namespaces on a bridge that stands in one of its own."""

import ctypes
import http.client
import os
import secrets
import signal
import subprocess
import time

CLONE_NEWNET = 0x40000000
BLOCK, DATABASE, STORE, BALANCER, LINKS = "192.0.2.0/24", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"
NODES, ALONE = ["192.0.2.11", "192.0.2.12", "192.0.2.13"], "192.0.2.14"
PORT = 8080


class Failed(Exception):
    """What the trial stands on does not stand."""


class Ended(Failed):
    """Nor will it."""


def run(*command, seconds=120, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, **more)
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
        except Ended:
            raise
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
