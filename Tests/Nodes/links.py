#!/usr/bin/env python3
"""Serves the models that links lead to, slowly.

links.py ADDRESS PORT TRIANGLES
"""

import random
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from models import Model  # noqa: E402


class Links(BaseHTTPRequestHandler):
    """The path is a number and a name."""

    def do_GET(self):
        body = Model(int(self.path.split("/")[1]), int(sys.argv[3])).body
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        half = len(body) // 2
        self.wfile.write(body[:half])
        # Seconds in which something may happen to the node that waits.
        time.sleep(random.uniform(0, 8))
        self.wfile.write(body[half:])

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer((sys.argv[1], int(sys.argv[2])), Links).serve_forever()
