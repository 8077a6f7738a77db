"""Those who use the nodes through the balancer: clients that send models, each as often as it takes, and watchers."""

import base64
import collections
import dataclasses
import http.client
import json
import random
import threading
import time

from hosts import BALANCER, LINKS, PORT, ask
from models import Model

# What a balancer says where a node is away, and a node where the database or the store is.
AWAY = (502, 503, 504)
# Seconds of silence after which a stream is given up: a node gives a sign of life every ten.
SILENCE = 20
TUS = {"Tus-Resumable": "1.0.0"}


@dataclasses.dataclass
class Sent:
    """A model on its way to an asset, and what it met there."""

    model: Model
    # Of the upload in pieces before it is whole.
    place: str = None
    asset: str = None
    in_vain: int = 0
    is_removed: bool = False


class Clients:
    def __init__(self, token, given):
        self.token, self.given = {"Authorization": f"Bearer {token}"}, given
        self.lock, self.stop = threading.Lock(), threading.Event()
        self.sent, self.odd = {}, collections.Counter()
        self.replays, self.begun, self.broken_off = 0, 0, 0

    def note(self, odd):
        with self.lock:
            self.odd[odd] += 1

    def count(self, name):
        with self.lock:
            setattr(self, name, getattr(self, name) + 1)

    @property
    def kept(self):
        """What was accepted and not removed."""
        return [sent for sent in self.sent.values() if sent.asset and not sent.is_removed]

    def start(self):
        self.began = time.monotonic()
        numbers = range(self.given.uploads)
        self.uploaders = [threading.Thread(target=self.client, args=(numbers[first::self.given.clients],), daemon=True)
                          for first in range(self.given.clients)]
        self.watchers = [Watcher(self) for _ in range(self.given.watchers)]
        for thread in self.watchers + self.uploaders:
            thread.start()

    def client(self, numbers):
        share = self.given.seconds / max(1, len(numbers))
        for at, number in enumerate(numbers):
            due = self.began + share * (at + random.random())
            self.stop.wait(max(0, due - time.monotonic()))
            sent = self.send(Model(number, self.triangles))
            if sent.model.is_removed:
                self.stop.wait(random.uniform(0, 3))
                self.remove(sent)
            elif number % 10 == 0:
                # A client that lost the answer asks again.
                self.send(sent.model)

    # One model

    def send(self, model):
        """Until it is accepted, or the trial ends."""
        sent = self.sent.setdefault(model.number, Sent(model))
        match model.way:
            case "whole": step = lambda: self.post(sent, f"?name={model.name}", model.body, "application/octet-stream")
            case "link": step = lambda: self.post(sent, "", self.link(model), "application/json")
            case "in pieces": step = lambda: self.take_piece(sent)
        is_accepted = False
        while not is_accepted and not self.stop.is_set():
            try:
                is_accepted = step()
            except (OSError, http.client.HTTPException):
                sent.in_vain += 1
                self.stop.wait(random.uniform(0.3, 1.5))
        return sent

    def ask(self, sent, path, method, body=None, headers={}, expected=(200, 201, 204), passing=AWAY):
        """What another answer than the expected ones means is that it is asked again."""
        status, fields, said = ask(BALANCER, path, PORT, method, body, {**self.token, **headers})
        if status in expected:
            return status, fields, said
        if status not in passing:
            self.note(f"{method} of {sent.model.way} was answered {status}: {said[:300]!r}")
            # Of an upload that is not there any more another is begun.
            sent.place = None if status in (404, 410) else sent.place
        raise http.client.HTTPException(status)

    def accept(self, sent, asset):
        known, sent.asset = sent.asset, asset
        if known not in (None, asset):
            self.note(f"{sent.model.name} became {known} and {asset}")
        return True

    @staticmethod
    def link(model):
        return json.dumps({"url": f"http://{LINKS}:{PORT}/{model.number}/{model.name}", "name": model.name})

    def post(self, sent, query, body, kind):
        headers = {"Idempotency-Key": f"upload-{sent.model.number}", "Content-Type": kind}
        _, fields, said = self.ask(sent, "/v1/assets" + query, "POST", body, headers)
        if fields.get("Idempotency-Replayed") == "true":
            self.count("replays")
        return self.accept(sent, json.loads(said)["id"])

    def remove(self, sent):
        while sent.asset and not self.stop.is_set():
            try:
                sent.is_removed = True
                # It is gone where the answer was lost, also to the balancer, which then asked the next.
                self.ask(sent, f"/v1/assets/{sent.asset}", "DELETE", expected=(204, 404))
                return
            except (OSError, http.client.HTTPException):
                sent.in_vain += 1
                self.stop.wait(random.uniform(0.3, 1.5))

    # In pieces, by the tus protocol: each to any node, going on where the last one ends that was kept

    def take_piece(self, sent):
        """Sends the next; whether all were."""
        body = sent.model.body
        if not sent.place:
            name = base64.b64encode(sent.model.name.encode()).decode()
            _, fields, _ = self.ask(sent, "/v1/uploads", "POST", b"", {
                **TUS, "Upload-Length": str(len(body)), "Upload-Metadata": f"filename {name}"})
            self.count("begun")
            sent.place = fields["Location"]
        _, fields, _ = self.ask(sent, sent.place, "HEAD", headers=TUS)
        offset = int(fields["Upload-Offset"])
        if offset < len(body):
            fields = self.send_piece(sent, offset, body[offset : offset + len(body) // 3 + 1])
        if "Asset-Location" in fields:
            return self.accept(sent, fields["Asset-Location"].rpartition("/")[2])
        if int(fields["Upload-Offset"]) == len(body):
            self.stop.wait(0.5)
        return False

    def send_piece(self, sent, offset, piece):
        headers = {**TUS, "Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"}
        if random.random() < 0.1:
            self.break_off(sent.place, piece, headers)
        # Another request for it may go on at that node, or had come to its end at another.
        _, fields, _ = self.ask(sent, sent.place, "PATCH", piece, headers, passing=(*AWAY, 409, 423))
        return fields

    def break_off(self, path, piece, headers):
        """Sends half of a piece, and is gone."""
        connection = http.client.HTTPConnection(BALANCER, PORT, timeout=30)
        try:
            length = {"Content-Length": str(len(piece))}
            connection.request("PATCH", path, piece[: len(piece) // 2], {**self.token, **headers, **length})
        finally:
            connection.close()
        self.count("broken_off")


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


