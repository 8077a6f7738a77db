"""That nothing which was accepted was lost or done twice, and that nothing is left which nobody has."""

import collections
import hashlib
import json
import re
from pathlib import Path

from hosts import NODES, ask, wait

RANKS = {"downloading": 0, "unzipping": 1, "parsing": 2, "ready": 3, "failed": 3}
PAGES = ["/inspect", "/tree", "/files", "/report", "/model.glb"]


def outcome(text):
    state = json.loads(text)
    return state["state"], state.get("code")


class Checks:
    def __init__(self, trial):
        self.trial, self.say = trial, trial.say
        self.database, self.store, self.clients, self.nodes = trial.database, trial.store, trial.clients, trial.nodes
        self.failures = 0
        # Of what is removed the service forgets what happened to it.
        self.database.execute("""
            CREATE TABLE forgotten AS TABLE events WITH NO DATA;
            CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN INSERT INTO forgotten VALUES (OLD.*); RETURN NULL; END';
            CREATE TRIGGER forget AFTER DELETE ON events FOR EACH ROW EXECUTE FUNCTION forget();""")

    def hold(self, holds, text, examples=()):
        self.failures += not holds
        self.say(f"{'ok    ' if holds else 'FAILED'}  {text}")
        for example in list(examples)[:5]:
            print(f"                    {example}", flush=True)

    def run(self):
        self.assets = {row["id"]: row for row in self.database.rows("SELECT id, state, sha256 FROM assets")}
        self.events = [(row["number"], row["kind"], {"asset": row["asset"], "data": json.loads(row["data"])})
                       for row in self.database.rows("""SELECT number, kind, asset, data FROM
                           (TABLE events UNION ALL TABLE forgotten) AS every ORDER BY number""")]
        self.check_outcomes()
        self.check_removed()
        self.check_events()
        self.check_watchers()
        self.check_bytes()
        self.check_answers()
        odd = self.clients.odd
        self.hold(not odd, "no answer that is not to be expected", odd.items())

    # What was sent

    def check_outcomes(self):
        sent, kept = self.clients.sent.values(), self.clients.kept
        accepted, ids = sum(1 for one in sent if one.asset), {one.asset for one in kept}
        self.hold(accepted == len(sent) and ids == set(self.assets) and len(ids) == len(kept),
                  f"{accepted} of {len(sent)} models were accepted, of which {len(kept)} were not removed and are "
                  f"{len(self.assets)} assets; sent in vain {sum(one.in_vain for one in sent)} times, answered again "
                  f"{self.clients.replays} times, pieces broken off {self.clients.broken_off} times", ids ^ set(self.assets))
        wrong, counts = [], collections.Counter()
        for one in kept:
            if one.asset not in self.assets:
                continue
            found, expected = outcome(self.assets[one.asset]["state"]), self.trial.expected[one.model.kind, one.model.way]
            counts[" ".join(filter(None, found))] += 1
            if found != expected:
                wrong.append(f"{one.asset} ({one.model.name}) is not {expected}: {self.assets[one.asset]['state']}")
        self.hold(not wrong, f"each ended as one of its kind does while nothing happens: {dict(counts)}; {len(wrong)} otherwise",
                  wrong)

    def check_removed(self):
        removed = [one.asset for one in self.clients.sent.values() if one.is_removed]
        there = [f"{asset} at {node}: {status}" for asset in removed for node in NODES
                 if (status := ask(node, f"/v1/assets/{asset}", headers=self.clients.token)[0]) != 404]
        self.hold(not there, f"{len(removed)} that were removed are gone at each node", there)

    # What was told

    def check_events(self):
        numbers = [number for number, _, _ in self.events]
        head = self.database.rows("SELECT number FROM eventhead")[0]["number"]
        self.hold(numbers == list(range(1, head + 1)), f"{len(numbers)} events are numbered without a hole up to {head}")
        ranks, backwards, settled, removed = {}, [], collections.Counter(), {}
        for number, kind, said in self.events:
            asset, state = said["asset"], said["data"]
            if asset in removed:
                backwards.append(f"event {number}: {kind} of {asset} behind its removal")
            if kind == "removed":
                removed[asset] = number
            if kind != "state":
                continue
            rank = (state["attempt"], RANKS[state["state"]])
            if rank <= ranks.get(asset, (0, 0)):
                backwards.append(f"event {number}: {asset} {ranks[asset]} -> {rank}")
            ranks[asset] = rank
            settled[asset] += rank[1] == 3
        self.removals = removed
        self.hold(not backwards, f"the events of {len(ranks)} assets are in the order of their states", backwards)
        wrong = [f"{asset}: {settled[asset]} times" for asset in ranks
                 if settled[asset] > 1 or asset not in removed and (not settled[asset] or ranks[asset][1] != 3)]
        self.hold(not wrong and set(removed) == {one.asset for one in self.clients.sent.values() if one.is_removed},
                  f"each asset was settled once, in its last attempt, or removed: {len(removed)}", wrong)
        self.tell_troubles({asset for asset, (attempt, _) in ranks.items() if attempt > 1})

    def tell_troubles(self, again):
        """How much the troubles had to do with the work."""
        groups = collections.defaultdict(list)
        for one in self.clients.sent.values():
            kind = re.sub(r"\S+\.\S+$", "a bundle", one.model.kind)
            for name in ("all", f"by way: {one.model.way}", f"kind: {kind}"):
                groups[name].append(one)
        for name, group in sorted(groups.items()):
            begun, sent = sum(1 for one in group if one.asset in again), sum(1 for one in group if one.in_vain)
            self.say(f"        {name}: of {len(group)} {begun} were begun more than once, {sent} sent more than once")

    def check_watchers(self):
        events, wrong = {event[0]: event for event in self.events}, []
        # Who comes when the asset is gone is told that alone.
        needed = {number for number, kind, said in self.events if kind == "removed" or said["asset"] not in self.removals}
        for at, watcher in enumerate(self.clients.watchers):
            told = [(number, kind, json.loads(data)) for number, kind, data in watcher.told]
            numbers = [number for number, _, _ in told]
            missed, twice = sorted(needed - set(numbers)), len(numbers) - len(set(numbers))
            other = [event for event in told if events.get(event[0]) != event]
            if missed or twice or other or watcher.gaps or numbers != sorted(numbers):
                wrong.append(f"watcher {at}: missed {len(missed)} {missed[:5]}, {twice} twice, {len(other)} otherwise {other[:2]}, "
                             f"gaps {watcher.gaps[:3]}")
        streams = sum(watcher.streams for watcher in self.clients.watchers)
        refused = sum(watcher.refused for watcher in self.clients.watchers)
        self.hold(not wrong, f"{len(self.clients.watchers)} watchers were told each of {len(events)} events once, in order, over "
                  f"{streams} streams; refused {refused} times", wrong)

    # What is kept

    def check_bytes(self):
        wrong = []
        for one in self.clients.kept:
            status, _, body = ask(NODES[one.model.number % 3], f"/v1/assets/{one.asset}/original", headers=self.clients.token)
            digest = hashlib.sha256(one.model.body).hexdigest()
            told = self.assets.get(one.asset, {}).get("sha256")
            if status != 200 or hashlib.sha256(body).hexdigest() != digest or told != digest:
                wrong.append(f"{one.asset} ({one.model.name}, {one.model.way}): {status}, {len(body)} bytes")
        self.hold(not wrong, f"the bytes of {len(self.clients.kept)} assets are what was sent", wrong)

    def rows_without_objects(self):
        keys = set(self.store.keys())
        return [row["sha256"] for row in self.database.rows("SELECT sha256, object FROM contents") if row["object"] not in keys]

    def objects_without_rows(self):
        keys = self.store.keys()
        # Asked for behind the keys: whoever puts an object adds the row later.
        named = {row["object"]: row["sha256"] for row in self.database.rows("SELECT sha256, object FROM contents")}
        digests = set(named.values())
        uploads = {row["id"] for row in self.database.rows("SELECT id FROM uploads")}
        has_row = {"blobs": lambda key: key in named, "results": lambda key: re.split(r"[./]", key)[2] in digests,
                   "partials": lambda key: key.split("/")[1] in uploads}
        return [key for key in keys if not has_row.get(key.split("/")[0], lambda _: False)(key)]

    # What is answered

    def check_answers(self):
        sample = self.trial.random.sample(sorted(self.assets), min(10, len(self.assets)))
        wrong = []
        paths = [f"/v1/assets/{asset}{page}" for asset in sample for page in ["", *PAGES]] + ["/v1/assets?limit=500"]
        for path in paths:
            answers = {node: self.answer(node, path) for node in NODES}
            if len(set(answers.values())) != 1:
                wrong.append(f"{path}: {answers}"[:2000])
        self.hold(not wrong, f"the three nodes answer {len(paths)} questions alike", wrong)

    def check_one_node(self, alone, token):
        """That a node which has a folder and a database of its own answers the same."""
        # What is told of a link names it.
        kinds, wrong = {one.model.kind: one for one in self.clients.kept if one.model.way != "link"}, []
        for one in kinds.values():
            _, _, said = ask(alone.address, f"/v1/assets?name={one.model.name}", method="POST", body=one.model.body, headers=token)
            asset = json.loads(said)["id"]
            wait(f"{one.model.name} on one node", 120, lambda: self.state(alone.address, asset, token) in ("ready", "failed"))
            for page in PAGES:
                ours, its = f"/v1/assets/{one.asset}", f"/v1/assets/{asset}"
                answers = [self.answer(NODES[0], ours + page, one.asset), self.answer(alone.address, its + page, asset, token)]
                if answers[0] != answers[1]:
                    wrong.append(f"{one.model.name}{page}: {answers}"[:2000])
        self.hold(not wrong, f"one node alone answers {len(kinds) * len(PAGES)} questions as they do", wrong)

    @staticmethod
    def state(host, asset, token):
        return json.loads(ask(host, f"/v1/assets/{asset}", headers=token)[2])["state"]["state"]

    def answer(self, host, path, asset=None, token=None):
        """The status and the body, as of any asset; a refusal bears the number of its request."""
        status, _, body = ask(host, path, headers=token or self.clients.token, timeout=60)
        if status != 200:
            return status, json.loads(body or b"{}").get("code")
        return status, body.replace(asset.encode(), b"ID") if asset else body

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
