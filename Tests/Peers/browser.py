"""A headless Chromium that is driven over a pipe, by the Chrome DevTools Protocol and the standard library alone."""

import base64
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time


class BrowserError(Exception):
    pass


class Browser:
    """One window. Events of the page that tell of faults are kept in `faults`."""

    options = ["--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
               "--no-first-run", "--disable-gpu-watchdog", "--hide-scrollbars", "--disable-dev-shm-usage",
               "--remote-debugging-pipe"]

    def __init__(self):
        self.faults, self.dialogs, self.number = [], [], 0
        self.answers, self.profile = {}, tempfile.mkdtemp()
        self.lock = threading.Condition()
        requests, self.requests = os.pipe()
        self.responses, responses = os.pipe()
        command = ["chromium", *self.options, f"--user-data-dir={self.profile}", "about:blank"]
        # It reads from 3 and writes to 4, whatever these pipes are called here.
        shell = ["bash", "-c", f'exec 3<&{requests} 4>&{responses} "$@"', "-", *command]
        shell[2] = f'exec 3<&{requests} 4>&{responses}; exec "$@"'
        self.process = subprocess.Popen(shell, pass_fds=(requests, responses), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(requests)
        os.close(responses)
        threading.Thread(target=self.listen, daemon=True).start()
        self.session = None
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.send(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    # The protocol.

    def listen(self):
        with os.fdopen(self.responses, "rb") as stream:
            rest = b""
            while chunk := stream.read1(1 << 16):
                *messages, rest = (rest + chunk).split(b"\0")
                for message in messages:
                    self.take(json.loads(message))
        with self.lock:
            self.answers = None
            self.lock.notify_all()

    def take(self, message):
        if "id" in message:
            with self.lock:
                self.answers[message["id"]] = message
                self.lock.notify_all()
            return
        method, given = message.get("method"), message.get("params", {})
        if method == "Log.entryAdded" and given["entry"]["level"] == "error":
            self.faults.append(f"{given['entry']['source']}: {given['entry']['text']} {given['entry'].get('url', '')}")
        elif method == "Runtime.exceptionThrown":
            details = given["exceptionDetails"]
            self.faults.append(f"exception: {details.get('exception', {}).get('description', details['text'])}")
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(given["message"])
            threading.Thread(target=self.send, args=("Page.handleJavaScriptDialog",), kwargs={"accept": True}).start()

    def send(self, method, seconds=60, **parameters):
        with self.lock:
            self.number += 1
            number = self.number
            message = {"id": number, "method": method, "params": parameters}
            if self.session:
                message["sessionId"] = self.session
            os.write(self.requests, json.dumps(message).encode() + b"\0")
            if not self.lock.wait_for(lambda: self.answers is None or number in self.answers, seconds) or self.answers is None:
                raise BrowserError(f"no answer to {method}")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    # What a person does.

    def open(self, url):
        self.send("Page.navigate", url=url)

    def run(self, script, *arguments):
        """The value of the body of an asynchronous function; `$(…)` finds one element, `all(…)` all of them."""
        given = ", ".join(json.dumps(argument) for argument in arguments)
        text = ("(async (...args) => { const $ = (s, e = document) => e.querySelector(s);"
                f" const all = (s, e = document) => [...e.querySelectorAll(s)]; {script} }})({given})")
        said = self.send("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in said:
            raise BrowserError(said["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return said["result"].get("value")

    def until(self, what, script, *arguments, seconds=30):
        """Asks until the answer is true, and gives it."""
        end = time.monotonic() + seconds
        while True:
            try:
                value = self.run(script, *arguments)
            except BrowserError:
                # The page is being loaded.
                value = None
            if value:
                return value
            if time.monotonic() > end:
                shown = self.run("return document.body.innerText.slice(0, 400)")
                raise BrowserError(f"it never came that {what}; the page shows:\n{shown}")
            time.sleep(0.05)

    def click(self, text, within="body"):
        """Clicks what is called so."""
        self.until(f"'{text}' can be clicked", """
            const found = all("a, button, summary, option", $(args[1])).find((one) =>
                (one.getAttribute("aria-label") ?? one.textContent).trim().startsWith(args[0]) && !one.disabled);
            found?.click(); return Boolean(found);""", text, within)

    def press(self, key, code=None, modifiers=0):
        text = {"Enter": "\r", " ": " "}.get(key, key if len(key) == 1 else None)
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        event = {"key": key, "code": code or key, "windowsVirtualKeyCode": codes.get(key, ord(key[0])), "modifiers": modifiers}
        self.send("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text):
        self.send("Input.insertText", text=text)

    def choose(self, selector, paths):
        """Files for an input."""
        root = self.send("DOM.getDocument")["root"]["nodeId"]
        node = self.send("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.send("DOM.setFileInputFiles", nodeId=node, files=[str(path) for path in paths])

    def drop(self, paths, x, y):
        """Drops files at a place."""
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.send("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    def size(self, width, height, scheme="light", scale=1):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme},
                                                          {"name": "prefers-reduced-motion", "value": "reduce"}])

    def shot(self, whole=False):
        given = {"captureBeyondViewport": True} if whole else {}
        if whole:
            size = self.send("Page.getLayoutMetrics")["cssContentSize"]
            given["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        return base64.b64decode(self.send("Page.captureScreenshot", format="png", **given)["data"])
