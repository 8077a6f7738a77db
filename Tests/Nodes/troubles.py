"""What happens to the hosts while they work: three courses of troubles at once, each at random moments of its own."""

import contextlib
import random
import signal
import threading
import time

from hosts import wait


class Troubles:
    def __init__(self, trial):
        self.trial, self.say, self.nodes = trial, trial.say, trial.nodes
        self.lock, self.busy, self.fault = threading.Lock(), set(), None
        self.stop = trial.clients.stop

    def run(self):
        """All of them, while the models are sent. At the end everything is well again."""
        orderly, crash = signal.SIGINT, signal.SIGQUIT
        courses = [
            [self.kill, self.kill, self.pause, self.pause, self.cut_node, self.cut_node],
            [self.kill, self.cut_node, self.restart(orderly), self.restart(crash), self.kill],
            [self.cut_store, self.refuse(None), self.refuse(2), self.slow, self.slow, self.slow]]
        threads = [threading.Thread(target=self.course, args=(f"{self.trial.given.seed} {at}", course), daemon=True)
                   for at, course in enumerate(courses)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.fault:
            raise self.fault
        for node in self.nodes:
            wait(f"the node {node.address}", 90, node.is_ready)

    def course(self, seed, troubles):
        chance, began = random.Random(seed), time.monotonic()
        chance.shuffle(troubles)
        share = self.trial.given.seconds / len(troubles)
        try:
            for at, trouble in enumerate(troubles):
                due = began + share * (at + chance.random() / 2)
                if self.stop.wait(max(chance.uniform(1, 3), due - time.monotonic())):
                    return
                trouble(chance)
        except Exception as fault:
            self.fault = fault

    def look_after(self):
        """Starts nodes again that could not start, as long as the trial lasts."""
        try:
            while not self.stop.wait(0.5):
                for node in self.nodes:
                    node.look_after()
        except Exception as fault:
            self.fault = fault

    @contextlib.contextmanager
    def node(self, chance):
        """One to which nothing else happens until it is ready again."""
        with self.lock:
            node = chance.choice([node for node in self.nodes if node not in self.busy])
            self.busy.add(node)
        try:
            yield node
            wait(f"the node {node.address}", 90, node.is_ready)
        finally:
            self.busy.remove(node)

    def kill(self, chance):
        with self.node(chance) as node:
            self.say(f"{node.address} is killed")
            node.end(signal.SIGKILL)
            self.stop.wait(chance.uniform(2, 5))
            node.start()

    def pause(self, chance):
        with self.node(chance) as node:
            self.say(f"{node.address} stands still for 20 s, longer than a claim holds")
            node.send(signal.SIGSTOP)
            self.stop.wait(20)
            node.send(signal.SIGCONT)

    def cut_node(self, chance):
        with self.node(chance) as node:
            self.cut(node, 8)

    def cut_store(self, _):
        self.cut(self.trial.store, 10)

    def cut(self, server, seconds):
        self.say(f"{server.address} is cut off for {seconds} s")
        self.trial.network.link(server.address, "down")
        self.stop.wait(seconds)
        self.trial.network.link(server.address, "up")

    def restart(self, number):
        def trouble(chance):
            how = "as by a crash" if number == signal.SIGQUIT else "in good order"
            self.say(f"the database is stopped {how}, and started again")
            self.trial.database.end(number, 60)
            self.stop.wait(chance.uniform(1, 3))
            self.trial.database.start()
        return trouble

    def refuse(self, seconds):
        def trouble(_):
            hint = f"and asks for {seconds} s of patience" if seconds else "and no more"
            self.store_is("refusing", 10, f"answers 503 for 10 s {hint}", retryAfter=seconds)
        return trouble

    def slow(self, _):
        self.store_is("slow", 12, "is slow at random for 12 s, and breaks off now and then")

    def store_is(self, mode, seconds, told, **more):
        self.say(f"the store {told}")
        self.trial.proxy.be(mode, **more)
        self.stop.wait(seconds)
        self.trial.proxy.be("well")
