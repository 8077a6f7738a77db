#!/usr/bin/env python3
"""Stands before an S3 server and hands on what comes, as it is: signatures cover the host's name, which stays the one that was
asked. By the lines of its standard input, JSON, it is in the way of that.

s3_proxy.py ADDRESS PORT UPSTREAM-PORT

{"mode": "well"}
{"mode": "refusing", "retryAfter": SECONDS or null}: all is answered 503, as by an S3 server that is asked too much
{"mode": "slow"}: answers and bodies wait at random, and now and then a connection is reset, before or in an answer
{"mode": "a day later"}: what is listed was put long ago
"""

import json
import random
import re
import socket
import socketserver
import struct
import sys
import threading
import time

PIECE = 64 << 10
SLOW_DOWN = b"""<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"""


class Head:
    """The first line and the fields of a request or an answer."""

    def __init__(self, file):
        self.lines = []
        while (line := file.readline(PIECE)) not in (b"\r\n", b""):
            self.lines.append(line)
        self.first = self.lines[0] if self.lines else b""
        parted = (line.partition(b":") for line in self.lines[1:])
        self.fields = {name.lower(): value.strip().lower() for name, _, value in parted}

    @property
    def status(self):
        return int(self.first.split()[1])

    @property
    def is_chunked(self):
        return self.fields.get(b"transfer-encoding") == b"chunked"

    @property
    def is_last(self):
        return self.fields.get(b"connection") == b"close"

    def bytes(self, without=b"\0"):
        return b"".join(line for line in self.lines if not line.lower().startswith(without)) + b"\r\n"

    def body(self, file):
        """In pieces, without their framing."""
        if not self.is_chunked:
            yield from self.exactly(file, int(self.fields.get(b"content-length", 0)))
            return
        while size := int(file.readline(PIECE).partition(b";")[0], 16):
            yield from self.exactly(file, size)
            file.readline(PIECE)
        file.readline(PIECE)

    @staticmethod
    def exactly(file, left):
        while left:
            piece = file.read1(min(left, PIECE))
            if not piece:
                raise ConnectionError("the body ends early")
            left -= len(piece)
            yield piece

    def send(self, pieces, file):
        for piece in pieces:
            file.write(b"%x\r\n%s\r\n" % (len(piece), piece) if self.is_chunked else piece)
            file.flush()
        file.write(b"0\r\n\r\n" if self.is_chunked else b"")
        file.flush()


class Well:
    """What is done to requests and answers: nothing."""

    def refusal(self):
        """The head of the answer to a request that is not handed on."""
        return None

    def wait(self):
        pass

    def passed(self, request, pieces):
        """The pieces of an answer's body."""
        return pieces


class Refusing(Well):
    def __init__(self, seconds):
        self.field = b"" if seconds is None else b"Retry-After: %d\r\n" % seconds

    def refusal(self):
        return b"HTTP/1.1 503 Slow Down\r\nContent-Type: application/xml\r\n%sContent-Length: %d\r\n\r\n" % (
            self.field, len(SLOW_DOWN))


class Slow(Well):
    def wait(self):
        if random.random() < 0.4:
            time.sleep(random.expovariate(2))
        if random.random() < 0.03:
            raise ConnectionResetError

    def passed(self, request, pieces):
        for piece in pieces:
            # So small that it is in the midst, also of a short answer.
            for half in (piece[: len(piece) // 2], piece[len(piece) // 2 :]):
                if random.random() < 0.1:
                    time.sleep(random.expovariate(4))
                if random.random() < 0.01:
                    raise ConnectionResetError
                if half:
                    yield half


class DayLater(Well):
    def passed(self, request, pieces):
        if b"list-type=2" not in request.first:
            return pieces
        # As long as it was.
        return [re.sub(rb"(<LastModified>)\d{4}", rb"\g<1>2001", b"".join(pieces))]


class Exchanges(socketserver.StreamRequestHandler):
    """What comes over one connection."""

    disable_nagle_algorithm = True

    def handle(self):
        try:
            while self.exchange():
                pass
        except (OSError, ValueError, IndexError):
            # Whoever waits for more is to see that none comes: it is a reset, and no end.
            self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def exchange(self):
        """Whether others may follow."""
        request = Head(self.rfile)
        if not request.first:
            return False
        if request.fields.get(b"expect"):
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if refusal := self.server.mode.refusal():
            for _ in request.body(self.rfile):
                pass
            is_head = request.first.startswith(b"HEAD ")
            self.wfile.write(refusal + (b"" if is_head else SLOW_DOWN))
            return True
        # One for each: the server closes those that stand still.
        with socket.create_connection((self.server.server_address[0], self.server.upstream)) as upstream:
            upstream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with upstream.makefile("rb") as answers, upstream.makefile("wb", PIECE) as requests:
                return self.hand_on(request, self.server.mode, answers, requests)

    def hand_on(self, request, mode, answers, requests):
        mode.wait()
        requests.write(request.bytes(without=b"expect:"))
        request.send(request.body(self.rfile), requests)
        answer = Head(answers)
        mode.wait()
        self.wfile.write(answer.bytes())
        has_body = not request.first.startswith(b"HEAD ") and answer.status not in (204, 304)
        if has_body:
            answer.send(mode.passed(request, answer.body(answers)), self.wfile)
        return not answer.is_last and not request.is_last


class Proxy(socketserver.ThreadingTCPServer):
    allow_reuse_address, daemon_threads, request_queue_size = True, True, 256

    def __init__(self, address, port, upstream):
        self.upstream, self.mode = upstream, Well()
        super().__init__((address, port), Exchanges)

    def shutdown_request(self, request):
        # Not by an end of what is sent, which would come before a reset.
        self.close_request(request)

    def obey(self):
        for line in sys.stdin:
            wish = json.loads(line)
            match wish["mode"]:
                case "well": self.mode = Well()
                case "refusing": self.mode = Refusing(wish["retryAfter"])
                case "slow": self.mode = Slow()
                case "a day later": self.mode = DayLater()
                case other: print(f"no mode: {other}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    proxy = Proxy(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    threading.Thread(target=proxy.obey, daemon=True).start()
    proxy.serve_forever()
