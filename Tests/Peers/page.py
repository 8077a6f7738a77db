"""Uses the page of daed as a person does, in a headless Chromium against a service of its own.

page.py DAE DAED VIEWER [--corpus FOLDER] [--pictures FOLDER] [--only NAME]: VIEWER holds three.js. A line for each check on
standard output. --pictures keeps the page at two widths and in both themes as PNG, with models of Fixtures alone.
"""

import argparse
import base64
import csv
import hashlib
import http.server
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path

sys.dont_write_bytecode = True
import numpy  # noqa: E402
from PIL import Image  # noqa: E402
from browser import Browser  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
BUNDLES = ROOT / "Fixtures/bundles"
# Of the pixels that either picture covers, those that both do.
LEAST_AGREEMENT = 0.95
LEAST_CONTRAST = 4.5
# Shares of a picture's pixels: that another view changes, and that the same view drawn again may.
LEAST_DIFFERENCE, MOST_NOISE = 0.005, 0.001
WIDE, NARROW = (1440, 900), (375, 812)
# In each of them is what would be code if a name were markup.
SCRIPT = "<script>alert(1)</script>"
ERROR = "\"><img src=x onerror=alert(2)>"


class Service:
    """A daed on a folder of its own, which may be killed and started again on the same port."""

    def __init__(self, daed, viewer, folder, *options):
        self.command = [str(daed), "serve", "--data", str(folder), "--viewer", str(viewer), "--rate", "0", *options]
        self.daed, self.folder, self.port, self.entry = daed, folder, 0, None
        self.base = options[options.index("--base-path") + 1] if "--base-path" in options else ""
        self.start()

    def start(self):
        log = Path(self.folder, f"log-{time.monotonic_ns()}")
        with log.open("wb") as errors:
            self.process = subprocess.Popen([*self.command, "--port", str(self.port)], stderr=errors, start_new_session=True)
        for _ in range(600):
            for line in log.read_text().splitlines():
                if '"listening"' in line:
                    self.port = json.loads(line)["port"]
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        sys.exit(f"daed does not listen: {log.read_text()}")

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait()

    @property
    def url(self):
        return f"http://localhost:{self.entry or self.port}{self.base}/"

    def ask(self, path, method="GET", body=None, token=None, kind="application/octet-stream"):
        headers = {"Content-Type": kind}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        with urllib.request.urlopen(urllib.request.Request(self.url + path, body, headers, method=method)) as answer:
            return answer.read()

    def add(self, path, name=None, token=None):
        body = path if isinstance(path, bytes) else path.read_bytes()
        name = urllib.parse.quote(name or path.name)
        return json.loads(self.ask(f"v1/assets?name={name}", "POST", body, token))["id"]

    def token(self, name, scope):
        command = [str(self.daed), "token", "add", name, "--scope", scope, "--data", str(self.folder)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class Nginx:
    """nginx in front of a service, with the locations of the configuration that is shipped."""

    def __init__(self, service, folder):
        shipped = (ROOT / "scripts/service/nginx.conf").read_text()
        locations = "".join(re.findall(r"^    location .*?^    }\n", shipped, re.MULTILINE | re.DOTALL))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        paths = "".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "nginx.conf").write_text(f"""
            daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; {"user root;" if os.geteuid() == 0 else ""}
            events {{}}
            http {{
                access_log off; {paths}
                upstream daed {{ server 127.0.0.1:{service.port}; keepalive 16; }}
                server {{ listen 127.0.0.1:{self.port}; {locations} }}
            }}""")
        path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        self.process = subprocess.Popen([shutil.which("nginx", path=path), "-e", f"{folder}/error.log", "-p", folder, "-c", folder / "nginx.conf"])
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(0.02)
        service.entry = self.port

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Bundles(http.server.SimpleHTTPRequestHandler):
    """Serves the fixtures, and says nothing of it."""

    def __init__(self, *given):
        super().__init__(*given, directory=BUNDLES)

    def log_message(self, *_):
        pass


class Failed(Exception):
    pass


def expect(holds, text):
    if not holds:
        raise Failed(text)


def silhouette(png):
    return numpy.asarray(Image.open(io.BytesIO(png)).convert("RGBA").getchannel("A")) > 127


def saved_picture(browser):
    """What "Save picture" saves, as PNG."""
    return base64.b64decode(browser.run("""
        const made = URL.createObjectURL;
        const blob = new Promise((done) => { URL.createObjectURL = (one) => { done(one); return made.call(URL, one); }; });
        all(".tools button").find((one) => one.title === "Save picture").click();
        const bytes = new Uint8Array(await (await blob).arrayBuffer());
        URL.createObjectURL = made;
        let text = "";
        for (const byte of bytes) text += String.fromCharCode(byte);
        return btoa(text);"""))


def difference(one, other):
    """The share of the pixels of two pictures that are clearly of another color."""
    first, second = (numpy.asarray(Image.open(io.BytesIO(png)).convert("RGBA")).astype(int) for png in (one, other))
    return (abs(first - second).max(axis=2) > 8).mean()


def shows(browser, count, what="ready"):
    browser.until(f"{count} are {what}", f"return all('.list .chip.{what}').length >= args[0]", count)


def open_list(browser, service):
    browser.open(service.url)
    browser.until("the list stands", "return $('h1')?.textContent === 'Models' && $('.list')?.getAttribute('aria-busy') === 'false'")


def open_asset(browser, service, asset, query=""):
    browser.open(f"{service.url}?asset={asset}{query}")
    browser.until("the model is shown", "return Boolean($('.view canvas')) && $('#findings-title') !== null")


# What is tried; each gets a browser and a service that the others have used before.

def files_are_dropped_and_their_states_seen(browser, service, given):
    open_list(browser, service)
    browser.run("""
        window.seen = [];
        new MutationObserver(() => seen.push(...all(".list .chip, [data-state]").map((one) => one.dataset.state ?? one.textContent)))
            .observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});""")
    browser.drop([BUNDLES / "walker.zip"], 600, 300)
    shows(browser, 1)
    seen = browser.run("return [...new Set(seen)]")
    expect({"sending", "Ready"} <= set(seen), f"states seen: {seen}")
    browser.choose("input[type=file][multiple]", [BUNDLES / "lamp.zae", BUNDLES / "house.kmz"])
    shows(browser, 3)
    browser.until("pictures are shown", "return all('.card img').filter((one) => one.complete && one.naturalWidth).length >= 3")


def real_models(given):
    """Thirty small models: those of Fixtures, and of the corpus the smallest that can be seen of each maker."""
    models = [BUNDLES / name for name in ("chair.zip", "house.kmz", "lamp.zae", "walker.zip")]
    if given.corpus:
        with (given.corpus / "MANIFEST.tsv").open(newline="") as table:
            rows = [row for row in csv.DictReader(table, delimiter="\t") if row["expect"] == "ok" and int(row["triangles"] or 0) > 10]
        makers = {}
        for row in sorted(rows, key=lambda row: int(row["bytes"])):
            makers.setdefault(row["path"].split("/")[0], given.corpus / row["path"])
        models += [path for path in makers.values() if path.is_file()]
    # Of the last of these folders some cannot be read; they come first in it.
    for pattern in ("A0[34589]-*/*.dae", "A1[056]-*/*.dae", "A17-*/[d-z]*.dae"):
        models += sorted((ROOT / "Fixtures/field").glob(pattern))
    # The browser starts elsewhere.
    return [path.resolve() for path in models[:30]]


def thirty_models_are_dropped_behind_a_proxy(browser, service, given):
    """On a service of its own, below a path; behind nginx where that is installed."""
    folder = given.folder / "below"
    folder.mkdir()
    other = Service(given.daed, given.viewer, folder, "--base-path", "/models", "--trusted-proxies", "127.0.0.1/32")
    has_nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    proxy = Nginx(other, folder) if has_nginx else None
    try:
        browser.open(other.url)
        browser.until("the list stands", "return $('h1')?.textContent === 'Models' && $('.list')?.getAttribute('aria-busy') === 'false'")
        models = real_models(given)
        expect(len(models) == 30, f"there are {len(models)} models")
        browser.drop(models, 600, 300)
        browser.until("all are ready", "return all('.list .card .chip.ready').length === 30 && $('.upload') === null", seconds=120)
        # Those that are out of sight are asked for when they come near: at the end it begins again at the top.
        browser.until("all have a picture", "const before = scrollY; scrollBy(0, 300); if (scrollY === before) scrollTo(0, 0); return all('.card img').filter((one) => one.complete && one.naturalWidth).length === 30", seconds=60)
        expect(browser.run("return all('.card img').every((one) => new URL(one.src).pathname.startsWith('/models/v1/assets/'))"), "a picture lies elsewhere")
        browser.run("all('.card a').find((one) => one.closest('.card').innerText.includes('walker.zip')).click()")
        browser.until("the model is shown", "return Boolean($('.view canvas')) && location.pathname === '/models/'")
        kept = json.loads(other.ask("v1/assets?limit=50"))["assets"]
        expect(sorted(one["sha256"] for one in kept) == sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in models), "kept is something else")
        print(f"  {'behind nginx' if proxy else 'nginx is not installed: asked directly'}")
    finally:
        browser.open("about:blank")
        browser.until("it is left", "return location.href === 'about:blank'")
        if proxy:
            proxy.stop()
        other.stop()


def a_folder_becomes_one_archive(browser, service, given):
    folder = given.folder / "chair"
    with zipfile.ZipFile(BUNDLES / "chair.zip") as bundle:
        bundle.extractall(folder)
    open_list(browser, service)
    browser.drop([folder], 600, 300)
    browser.until("the folder is ready", "return all('.card').some((one) => one.innerText.includes('chair.zip') && $('.ready', one) !== null)")
    asset = json.loads(service.ask("v1/assets?name=chair"))["assets"][0]["id"]
    original = zipfile.ZipFile(io.BytesIO(service.ask(f"v1/assets/{asset}/original")))
    expect(original.testzip() is None, "the archive is damaged")
    sent = {path: original.read(path) for path in original.namelist()}
    there = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    expect(sent == there, f"sent were {sorted(sent)}")


def a_link_is_added(browser, service, given):
    open_list(browser, service)
    browser.run("$('#link').value = 'http://127.0.0.1/a.zip'; $('.by-link button').click()")
    browser.until("it is said why not", "return $('.add .fault').textContent.length > 10")
    browser.run("$('#link').value = 'ftp://example.org/a.zip'; $('.by-link button').click()")
    browser.until("it is said what a link is", "return $('.add .fault').textContent.includes('http')")
    # One is taken from loopback, where that is allowed.
    folder = given.folder / "linked"
    folder.mkdir()
    other = Service(given.daed, given.viewer, folder, "--allow-addresses", "127.0.0.0/8")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bundles) as files:
        threading.Thread(target=files.serve_forever, daemon=True).start()
        try:
            open_list(browser, other)
            browser.run("$('#link').value = args[0]; $('.by-link button').click()", f"http://127.0.0.1:{files.server_port}/walker.zip")
            browser.until("it is ready", "return all('.card').length === 1 && $('.card .ready') !== null && $('.card').innerText.includes('walker.zip')")
            expect(browser.run("return $('.add .fault').textContent") == "", "a fault is shown")
        finally:
            # A page that stays would tell that its service is gone.
            browser.open("about:blank")
            browser.until("it is left", "return location.href === 'about:blank'")
            files.shutdown()
            other.stop()


def the_model_is_the_one_that_is_rendered(browser, service, given):
    browser.size(800, 600)
    for document in given.models:
        open_asset(browser, service, service.add(document))
        width, height = browser.run("const {width, height} = $('.view canvas'); return [width, height]")
        seen = silhouette(saved_picture(browser))
        target = given.folder / "drawn.png"
        command = [given.dae, "render", "-q", document, "-o", target, "--camera", "fit", "--size", f"{width}x{height}"]
        subprocess.run(command + ["--background", "transparent"], check=True, capture_output=True)
        drawn = silhouette(target.read_bytes())
        agreed = (seen & drawn).sum() / max(1, (seen | drawn).sum())
        print(f"  {document.name}: covers {seen.mean():.1%}, silhouettes {agreed:.4f}")
        expect(seen.mean() > 0.01 and agreed >= LEAST_AGREEMENT, f"{document.name}: silhouettes agree in {agreed:.4f}")
    browser.size(*WIDE)


def the_view_is_turned_and_played(browser, service, given):
    open_asset(browser, service, given.walker)
    fitted = saved_picture(browser)
    browser.click("Wireframe")
    expect(browser.run("return all('.tools [aria-pressed=true]').length") == 1, "the wireframe is not pressed")
    expect(difference(fitted, saved_picture(browser)) > LEAST_DIFFERENCE, "the wireframe looks as the model did")
    browser.click("Wireframe")
    expect(difference(fitted, saved_picture(browser)) < MOST_NOISE, "the wireframe stays")
    browser.run("$('.view canvas').focus()")
    for key in ("ArrowLeft", "ArrowUp", "+", "-"):
        before = saved_picture(browser)
        browser.press(key)
        differs = difference(before, saved_picture(browser))
        expect(differs > LEAST_DIFFERENCE, f"{key} changes {differs:.2%} of the picture")
    browser.press("0")
    differs = difference(fitted, saved_picture(browser))
    expect(differs < MOST_NOISE, f"0 does not fit: {differs:.2%} differ")
    expect(browser.run("return $('.player') !== null"), "an animated model has no player")
    browser.click("Play")
    browser.until("it plays", "return Number($('.player input').value) > 0")
    end = time.monotonic() + 30
    while difference(fitted, saved_picture(browser)) <= MOST_NOISE:
        expect(time.monotonic() < end, "nothing moves")
    browser.click("Pause")


def findings_tell_where_and_what_to_do(browser, service, given):
    open_asset(browser, service, given.walker)
    expect(browser.run("return $('.severity.warning h3').textContent") == "Warnings (2)", "the warnings are not counted")
    browser.run("all('.finding').forEach((one) => { one.open = true; })")
    browser.until("a line of the document is shown", "return $('.places .source:not([hidden])')?.textContent.includes('<image id=')")
    text = browser.until("it is said what to do", "return $('.meaning').textContent.includes('What to do') && $('.finding').textContent")
    expect("walker.dae:122:5" in text, f"the place is missing: {text}")
    browser.run("$('.textures').scrollIntoView()")
    browser.until("a texture is shown", "return $('.textures img')?.naturalWidth === 32")
    expect("by the end of its path" in browser.run("return $('.textures').innerText"), "how it was found is missing")
    browser.run("all('.opened').forEach((one) => { one.parentElement.open = true; })")
    browser.until("the nodes are shown", "return $('.tree')?.innerText.includes('Rig')")
    browser.until("it is said what the conversion changed", "return $('.changes')?.innerText.includes('metal and roughness')")


def downloads_are_the_apis(browser, service, given):
    open_asset(browser, service, given.walker)
    links = browser.run("return all('.downloads a').map((one) => [one.href, one.download])")
    expect(len(links) >= 9, f"{len(links)} downloads")
    digest = """
        const answer = await fetch(args[0]);
        const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.arrayBuffer()));
        return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("")"""
    for link, name in links:
        path = link.removeprefix(service.url)
        expect(browser.run(digest, link) == hashlib.sha256(service.ask(path)).hexdigest(), f"{path} is another")
        expect(name.startswith("walker"), f"{path} is called {name}")
    original = next(link for link, _ in links if link.endswith("/original"))
    expect(browser.run(digest, original) == hashlib.sha256((BUNDLES / "walker.zip").read_bytes()).hexdigest(), "the original is another")


def many_are_found_and_paged(browser, service, given):
    for number in range(60):
        service.add(f"no model {number}".encode(), f"many-{number:02}.zip")
    open_list(browser, service)
    browser.until("a page has fifty", "return all('.card').length === 50")
    browser.click("Older", ".pages")
    browser.until("the next page stands", "return location.search.includes('after=') && all('.card').length < 50 && all('.card').length > 5")
    expect(browser.run("return all('.card').some((one) => one.innerText.includes('walker.zip'))"), "the oldest is missing")
    browser.click("Newest", ".pages")
    browser.until("the first page stands", "return all('.card').length === 50")
    browser.run("$('#search').focus()")
    browser.type("HOUSE")
    browser.until("the search finds one", "return all('.card').length === 1 && $('.card').innerText.includes('house.kmz')")
    expect(browser.run("return document.activeElement.id") == "search", "the focus went away")
    browser.run("$('#search').value = ''; $('#state').value = 'failed'; $('#state').dispatchEvent(new Event('change'))")
    browser.until("the filter holds", "return all('.card').length === 50 && all('.card .chip').every((one) => one.textContent === 'Failed')")
    browser.run("$('#search').value = 'nothing is called so'; $('#search').dispatchEvent(new Event('input'))")
    browser.until("it is said that there is none", "return $('.empty')?.innerText.includes('No model is like that')")


def labels_are_changed_and_found(browser, service, given):
    asset = service.add(BUNDLES / "lamp.zae", "a labelled one.zae")
    value = f"a+b & c=d {SCRIPT}"
    open_asset(browser, service, asset)
    browser.until("the facts stand", "const one = $('.facts-list + .button'); one?.focus(); return Boolean(one)")
    browser.press("Enter")
    browser.until("the form is open", "return $('dialog #labels') !== null")
    faults = browser.run(CHECKS, LEAST_CONTRAST)
    expect(not faults, "; ".join(faults))
    browser.run("$('#labels').value = 'Not A Name=1'")
    browser.click("Save", "dialog")
    browser.until("it is said what a name is", "return $('dialog .fault').textContent.includes('lower-case')")
    browser.run("$('#labels').value = args[0]; $('#expires').value = '2999-12-31T12:30'", f"project=bridge\n note ={value}\n\n")
    browser.click("Save", "dialog")
    browser.until("the facts have them", "return $('.side').innerText.includes('Dec 31, 2999') && all('.labels a').length === 2 && $('dialog') === null")
    expect(browser.run("return document.activeElement.textContent") == "Change labels and expiry", "the focus went away")
    kept = json.loads(service.ask(f"v1/assets/{asset}"))
    expect(kept["labels"] == {"project": "bridge", "note": value}, f"kept is {kept['labels']}")
    # What somebody else says is shown, and stays when one label is taken away here.
    patch = json.dumps({"labels": {"by": "other"}}).encode()
    service.ask(f"v1/assets/{asset}", "PATCH", patch, kind="application/merge-patch+json")
    browser.until("it is heard of", "return all('.labels a').length === 3")
    browser.click("Change labels and expiry")
    browser.run("$('#labels').value = $('#labels').value.replace('project=bridge', ''); $('#expires').value = ''")
    browser.click("Save", "dialog")
    browser.until("one is gone, and the expiry", "return all('.labels a').length === 2 && !$('.side').innerText.includes('Expires')")
    kept = json.loads(service.ask(f"v1/assets/{asset}"))
    expect(kept["labels"] == {"by": "other", "note": value} and kept["expires"] is None, f"kept is {kept}")
    # A label leads to all that have it.
    browser.run("all('.labels a').find((one) => one.textContent.startsWith('note=')).click()")
    browser.until("the list has it alone", "return $('h1').textContent === 'Models' && all('.card').length === 1 && $('.card').innerText.includes('a labelled one.zae')")
    expect(browser.run("return new URLSearchParams(location.search).get('label')") == f"note={value}", "the address is another")
    browser.run("$('#search').focus()")
    browser.type("labelled one")
    browser.until("a name with a space is searched for, too", "return location.search.includes('name=labelled%20one') && all('.card').length === 1")
    # What is looked at is the page that comes, and not the one that goes.
    browser.run("window.isOld = true; location.reload()")
    browser.until("it stays so", "return !window.isOld && all('.card').length === 1 && $('.filters button')?.textContent.startsWith('note=')")
    browser.run("$('.filters button').click()")
    browser.until("the label is no condition", "return all('.card').length === 1 && $('.filters button') === null && location.search === '?name=labelled%20one'")
    # What is refused is said as it is.
    browser.open(f"{service.url}?label=!")
    browser.until("it is said why", "return $('.empty')?.innerText.includes('NAME=VALUE') && $('#connection').hidden")


def names_are_text(browser, service, given):
    hostile = (BUNDLES / "walker.zip").read_bytes()
    document = zipfile.ZipFile(io.BytesIO(hostile)).read("walker.dae").decode()
    quoted = (SCRIPT + ERROR).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    for name in ('name="Skin"', 'name="Cloth"', 'name="chest"', 'name="Rig"', 'name="Scene"', 'name="skin_tone_png"'):
        expect(name in document, f"the fixture has no {name}")
        document = document.replace(name, f'name="{quoted}"')
    document = document.replace("/home/ada/walker/textures/skin%20tone.png", f"textures/{quoted}.png")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as bundle:
        bundle.writestr(f"{SCRIPT.replace('/', '')}.dae", document)
        bundle.writestr("textures/<img src=x onerror=alert(3)>.png", zipfile.ZipFile(io.BytesIO(hostile)).read("textures/skin tone.png"))
    asset = service.add(packed.getvalue(), f"{SCRIPT.replace('/', '')}{ERROR}.zip")
    open_list(browser, service)
    browser.until("it is listed", "return all('.card').some((one) => one.innerText.includes('<script>alert(1)'))")
    open_asset(browser, service, asset)
    browser.run("all('details').forEach((one) => { one.open = true; })")
    browser.until("the nodes are shown", "return $('.tree')?.innerText.includes('<script>')")
    browser.run("all('.tree details').forEach((one) => { one.open = true; })")
    browser.click("Share")
    browser.until("the dialog is open", "return $('dialog[open]').innerText.includes('<script>')")
    browser.press("Escape")
    expect(browser.run("return all('.materials-title, tbody th').some((one) => one.innerText.includes('<script>'))"), "the material is not named")
    for kind in ("script:not([src])", "img[onerror]", "img[src=x]"):
        expect(browser.run("return all(args[0]).length", kind) == 0, f"there is {kind}")
    # Without scripts the service makes the list.
    expect(b"<script>alert" not in service.ask(""), "the list of the service is not escaped")


def the_keyboard_suffices(browser, service, given):
    service.add(BUNDLES / "walker.zip", "keyboard.zip")
    open_list(browser, service)
    browser.run("$('#search').focus()")
    browser.type("keyboard")
    browser.until("one is found", "return all('.card').length === 1")
    for _ in range(12):
        browser.press("Tab")
        if browser.run("return document.activeElement.closest('.card') !== null"):
            break
    expect(browser.run("return getComputedStyle(document.activeElement.closest('.card')).outlineStyle") == "solid", "the focus is not seen")
    browser.press("Enter")
    browser.until("the asset is open", "return $('.asset h1')?.textContent === 'keyboard.zip'")
    expect(browser.run("return document.activeElement.tagName") == "H1", "the focus is not where the view begins")
    browser.until("the model is shown", "return $('.view canvas') !== null")
    reached = set()
    for _ in range(60):
        browser.press("Tab")
        reached.add(browser.run("const one = document.activeElement; return one.getAttribute('aria-label') ?? one.innerText ?? one.tagName"))
    for wanted in ("Share", "Delete", "Fit", "Play"):
        expect(wanted in reached, f"{wanted} is not reached: {sorted(reached)}")
    browser.run("history.back()")
    browser.until("the list is back", "return $('h1').textContent === 'Models'")


def what_failed_says_why_and_where(browser, service, given):
    text = b'<?xml version="1.0"?>\n<COLLADA version="1.4.1"\n  xmlns="http://www.collada.org/2005/11/COLLADASchema">\n<asset>'
    browser.open(f"{service.url}?asset={service.add(text, 'cut.dae')}")
    browser.until("it is said why", "return $('.failure')?.innerText.includes('XML_NOT_WELL_FORMED')")
    browser.until("the finding is there", "return $('.finding') !== null")
    browser.run("$('.finding').open = true")
    browser.until("the line is shown", "return $('.places .source:not([hidden])')?.textContent.includes('<asset>')")
    browser.until("it is said what to do", "return $('.meaning').textContent.includes('What to do')")


def deleting_asks_first(browser, service, given):
    asset = service.add(BUNDLES / "lamp.zae", "gone.zae")
    open_asset(browser, service, asset)
    browser.click("Delete", ".asset .head")
    browser.until("it asks", "return $('dialog[open] h2')?.textContent === 'Delete gone.zae?'")
    browser.click("Cancel", "dialog")
    expect(json.loads(service.ask(f"v1/assets/{asset}"))["id"] == asset, "it is gone")
    browser.click("Delete", ".asset .head")
    browser.click("Delete", "dialog footer")
    browser.until("the list is back", "return $('h1').textContent === 'Models'")
    browser.until("it is gone from the list", "return all('.card').length && !all('.card').some((one) => one.innerText.includes('gone.zae'))")
    # Somebody else's view of it says so.
    other = service.add(BUNDLES / "lamp.zae", "other.zae")
    open_asset(browser, service, other)
    service.ask(f"v1/assets/{other}", "DELETE")
    browser.until("it is said that it was removed", "return $('.empty')?.innerText.includes('It was removed')")


def a_break_is_outlived(browser, service, given):
    open_list(browser, service)
    browser.until("the stream stands", "return $('#connection').hidden")
    service.stop(signal.SIGKILL)
    browser.until("it is said that there is no connection", "return !$('#connection').hidden")
    # An upload that begins meanwhile waits.
    browser.choose("input[type=file][multiple]", [BUNDLES / "walker.zip"])
    browser.until("the upload waits", "return $('.upload.broken') !== null")
    service.start()
    browser.until("the upload is done and listed", "return all('.list .card').filter((one) => one.innerText.includes('walker.zip') && $('.ready', one)).length >= 1", seconds=60)
    browser.until("the connection is back", "return $('#connection').hidden")
    del browser.faults[:]  # that nobody answered


def being_offline_is_outlived(browser, service, given):
    """As a break, but the service goes on: what happens meanwhile is shown afterwards."""
    def network(is_offline):
        browser.send("Network.emulateNetworkConditions", offline=is_offline, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    open_list(browser, service)
    browser.until("the stream stands", "return $('#connection').hidden")
    network(True)
    try:
        browser.until("it is said that there is no connection", "return !$('#connection').hidden")
        browser.choose("input[type=file][multiple]", [BUNDLES / "chair.zip"])
        browser.until("the upload waits", "return $('.upload.broken') !== null")
        service.add(BUNDLES / "lamp.zae", "meanwhile.zae")
    finally:
        network(False)
    browser.until("the connection is back", "return $('#connection').hidden")
    for name in ("meanwhile.zae", "chair.zip"):
        browser.until(f"{name} is ready", "return all('.list .card').some((one) => one.innerText.includes(args[0]) && $('.ready', one))", name)
    browser.until("the upload is over", "return $('.upload') === null")
    del browser.faults[:]  # that nobody was reached


def an_upload_is_gone_on_with(browser, service, given):
    """The service is killed in the middle of a large file; what had come is not sent again."""
    large = given.folder / "large.zip"
    with zipfile.ZipFile(large, "w") as bundle:
        bundle.write(BUNDLES / "walker.zip", "walker.zip")
        bundle.writestr("filler.bin", os.urandom(40 << 20))
    open_list(browser, service)
    browser.send("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=24 << 20)
    browser.run("""
        window.offsets = [];
        const send = XMLHttpRequest.prototype.setRequestHeader;
        XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
            if (name === "Upload-Offset") offsets.push(Number(value));
            return send.call(this, name, value);
        };""")
    browser.choose("input[type=file][multiple]", [large])
    browser.until("some of it is sent", "return $('.upload progress')?.value > 45")
    service.stop(signal.SIGKILL)
    browser.until("it is broken off", "return $('.upload.broken') !== null")
    service.start()
    browser.send("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    browser.until("it is uploaded", "return all('.list .card').some((one) => one.innerText.includes('large.zip'))", seconds=60)
    offsets = browser.run("return offsets")
    expect(offsets[0] == 0 and all(offset > 0 for offset in offsets[1:]), f"sent were pieces from {offsets}")
    del browser.faults[:]


def a_cancelled_upload_is_gone(browser, service, given):
    large = given.folder / "cancelled.zip"
    large.write_bytes(b"PK" + os.urandom(30 << 20))
    open_list(browser, service)
    browser.send("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=4 << 20)
    browser.choose("input[type=file][multiple]", [large])
    browser.until("some of it is sent", "return $('.upload progress')?.value > 2")
    browser.run("$('.upload button').click()")
    browser.until("it is gone", "return $('.upload') === null")
    browser.send("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    expect(not json.loads(service.ask("v1/assets?name=cancelled"))["assets"], "it became an asset")


def everybody_can_use_it(browser, service, given):
    views = {"list": service.url, "asset": f"{service.url}?asset={given.walker}", "failed": f"{service.url}?asset={given.failed}",
             "gone": f"{service.url}?asset=00"}
    for scheme in ("light", "dark"):
        for size in (WIDE, NARROW):
            browser.size(*size, scheme)
            for name, url in views.items():
                browser.open(url)
                browser.until(f"{name} stands", "return Boolean($('h1') && !$('[aria-busy=true]') && !/^Loading/m.test($('main').innerText) && $('.chip, .empty'))")
                browser.run("all('.panel details').slice(0, 12).forEach((one) => { one.open = true; })")
                time.sleep(0.2)
                faults = browser.run(CHECKS, LEAST_CONTRAST)
                expect(not faults, f"{name}, {scheme}, {size[0]} px: " + "; ".join(faults[:8]))
    browser.size(*WIDE)


CHECKS = r"""
    const faults = [];
    const shown = (one) => one.getClientRects().length > 0 && getComputedStyle(one).visibility !== "hidden";
    const names = (one) => [one.tagName.toLowerCase(), one.className, one.textContent.trim().slice(0, 30)].filter(Boolean).join(" ");
    if (all("h1").filter(shown).length !== 1) faults.push("there is not one h1");
    for (const landmark of ["header", "main"]) if (all(landmark).filter((one) => one.parentElement === document.body).length !== 1) faults.push(`no ${landmark}`);
    if (!document.documentElement.lang || !document.title) faults.push("no language or no title");
    if (!$("[role=status][aria-live]")) faults.push("no live region");
    const ids = all("[id]").map((one) => one.id);
    for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`two have the id ${id}`);
    let level = 0;
    for (const one of all("h1, h2, h3, h4").filter(shown)) {
        const next = Number(one.tagName[1]);
        if (next > level + 1) faults.push(`${names(one)} stands below no heading`);
        level = next;
    }
    for (const one of all("a[href], button, input, select, summary, [role=application], progress").filter(shown)) {
        const label = one.getAttribute("aria-label") || one.labels?.[0]?.textContent || document.getElementById(one.getAttribute("aria-labelledby"))?.textContent
            || one.textContent || $("img[alt]", one)?.alt || (one.tagName === "BUTTON" ? one.title : "");
        if (!label?.trim()) faults.push(`${names(one)} has no name`);
        const {width, height} = one.getBoundingClientRect();
        if (one.matches("button, select, input:not([type=range])") && !one.matches(".unseen") && (width < 24 || height < 24)) faults.push(`${names(one)} is too small`);
    }
    for (const one of all("img")) if (one.getAttribute("alt") === null) faults.push("an img has no alt");
    for (const one of all("[aria-labelledby]")) if (!document.getElementById(one.getAttribute("aria-labelledby"))) faults.push(`${names(one)} is labelled by nothing`);
    for (const one of all("[tabindex]")) if (Number(one.getAttribute("tabindex")) > 0) faults.push("a tabindex above 0");
    for (const one of all("ul > *, ol > *")) if (one.tagName !== "LI") faults.push(`${names(one)} is no li`);
    if (document.documentElement.scrollWidth > innerWidth) {
        const wide = all("body *").filter((one) => shown(one) && one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".scrolled, .unseen"));
        faults.push(`it scrolls to the side: ${wide.slice(0, 3).map(names)}`);
    }
    // Contrast of each text with what lies behind it.
    const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    const color = (text) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1); const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255]; };
    const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
    const light = ([r, g, b]) => { const f = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
    const behind = (one) => { const layers = []; for (let at = one; at; at = at.parentElement) layers.push(color(getComputedStyle(at).backgroundColor)); return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255, 1]); };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const seen = new Set();
    while (walker.nextNode()) {
        const one = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || seen.has(one) || !shown(one) || one.closest(".unseen, .skip, noscript, :disabled")) continue;
        seen.add(one);
        const ground = behind(one);
        const [first, second] = [light(over(color(getComputedStyle(one).color), ground)), light(ground)].sort((a, b) => b - a);
        const contrast = (first + 0.05) / (second + 0.05);
        if (contrast < args[0]) faults.push(`${names(one)}: contrast ${contrast.toFixed(2)}`);
    }
    return faults;
"""


def a_token_signs_in(browser, service, given):
    """The last on this service: from here on it asks for a token."""
    admin, reader = service.token("writer", "write"), service.token("reader", "read")
    browser.open(service.url)
    browser.until("it asks for a token", "return $('h1')?.textContent === 'Sign in'")
    faults = browser.run(CHECKS, LEAST_CONTRAST)
    expect(not faults, "; ".join(faults))
    browser.run("$('#token').focus()")
    browser.type("daed_wrong")
    browser.press("Enter")
    browser.until("it is said that it is wrong", "return $('.fault').textContent.length > 0")
    browser.run("$('#token').value = ''; $('#token').focus()")
    browser.type(admin)
    browser.press("Enter")
    browser.until("the list stands", "return $('h1').textContent === 'Models' && all('.card').length > 0")
    kept = browser.run("return [location.href, document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join()")
    expect(admin not in kept and "daed_session" not in kept, "the token or the cookie is within reach of scripts")
    browser.choose("input[type=file][multiple]", [BUNDLES / "house.kmz"])
    browser.until("an upload is ready", "return $('.card')?.innerText.includes('house.kmz') && $('.card .ready') !== null")
    browser.until("its picture is shown", "return $('.card img')?.naturalWidth > 0")
    # A link to share is opened by somebody who is not signed in.
    open_asset(browser, service, given.walker)
    browser.click("Share")
    browser.click("Make and copy the link")
    link = browser.until("there is a link", "return $('#share-link').value")
    browser.press("Escape")
    browser.click("Sign out")
    browser.until("it asks for a token", "return $('h1')?.textContent === 'Sign in'")
    browser.open(link)
    browser.until("the model is shown", "return $('.view canvas') !== null && $('.severity.warning') !== null")
    shown = browser.run("return document.body.innerText")
    for word in ("All models", "Delete", "Share\n", "Sign out"):
        expect(word not in shown, f"whoever has a link sees {word}")
    link_download = browser.run("return (await fetch(all('.downloads a')[0].href)).status")
    expect(link_download == 200, "a download by a link is refused")
    browser.open(link.replace(given.walker, given.failed))
    browser.until("another asset is refused", "return $('.empty') !== null")
    short = json.loads(service.ask(f"v1/assets/{given.walker}/links", "POST", b'{"expiresIn": 1}', reader))["links"]["page"]
    time.sleep(1.5)
    browser.open(service.url + short[1:])
    browser.until("it is said that the link has expired", "return $('.empty')?.innerText.includes('expired')")
    # A reader sees, and is offered nothing else.
    browser.open(service.url)
    browser.until("it asks for a token", "return $('h1')?.textContent === 'Sign in'")
    browser.run("$('#token').focus()")
    browser.type(reader)
    browser.press("Enter")
    browser.until("the list stands", "return all('.card').length > 0")
    expect(browser.run("return $('.add') === null"), "a reader is asked to add")
    subprocess.run([service.daed, "token", "revoke", "reader", "--data", service.folder], check=True, capture_output=True)
    browser.until("a revoked token is out", "return $('h1')?.textContent === 'Sign in'")
    # The console has a line for each of these answers.
    browser.faults[:] = [fault for fault in browser.faults if "status of 40" not in fault]


def without_the_viewer_there_is_a_picture(browser, service, given):
    other = given.folder / "plain"
    other.mkdir()
    plain = Service(given.daed, given.folder / "none", other)
    try:
        asset = plain.add(BUNDLES / "walker.zip")
        browser.open(f"{plain.url}?asset={asset}")
        browser.until("a picture is shown", "return $('.view img')?.naturalWidth === 1024 && $('.said').innerText.includes('not installed')")
        browser.faults[:] = [fault for fault in browser.faults if "viewer/three.js" not in fault]
    finally:
        plain.stop()


CASES = [
    files_are_dropped_and_their_states_seen, thirty_models_are_dropped_behind_a_proxy, a_folder_becomes_one_archive, a_link_is_added, the_model_is_the_one_that_is_rendered,
    the_view_is_turned_and_played, findings_tell_where_and_what_to_do, downloads_are_the_apis, names_are_text, many_are_found_and_paged,
    labels_are_changed_and_found, the_keyboard_suffices, what_failed_says_why_and_where,
    deleting_asks_first, everybody_can_use_it, a_break_is_outlived, being_offline_is_outlived, an_upload_is_gone_on_with,
    a_cancelled_upload_is_gone, without_the_viewer_there_is_a_picture, a_token_signs_in,
]


def pictures(browser, given, target):
    """The list and an asset at both widths and in both themes."""
    folder = given.folder / "pictures"
    folder.mkdir()
    service = Service(given.daed, given.viewer, folder)
    try:
        ids = [service.add(BUNDLES / name) for name in ("lamp.zae", "house.kmz", "walker.zip", "chair.zip")]
        service.add(b"PK no model", "broken.zip")
        for scheme in ("light", "dark"):
            for size in (WIDE, NARROW):
                browser.size(*size, scheme)
                open_list(browser, service)
                shows(browser, 4)
                browser.until("pictures are shown", "return all('.card img').filter((one) => one.complete && one.naturalWidth).length >= 4")
                (target / f"list-{size[0]}-{scheme}.png").write_bytes(browser.shot(size == NARROW))
                open_asset(browser, service, ids[2])
                browser.run("$('.finding').open = true; $('.textures').scrollIntoView()")
                browser.until("the texture is shown", "return $('.textures img')?.naturalWidth === 32")
                browser.run("scrollTo(0, 0)")
                time.sleep(0.5)
                (target / f"asset-{size[0]}-{scheme}.png").write_bytes(browser.shot(True))
    finally:
        service.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dae")
    parser.add_argument("daed")
    parser.add_argument("viewer", type=Path)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--only")
    given = parser.parse_args()
    if not shutil.which("chromium"):
        sys.exit("page: chromium is not installed")
    failed = []
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        given.folder = Path(folder)
        data = given.folder / "data"
        data.mkdir()
        given.models = [BUNDLES / name for name in ("walker.zip", "chair.zip", "lamp.zae")]
        if given.corpus:
            given.models.append(given.corpus / "assimp/Collada/duck.zae")
        service = Service(given.daed, given.viewer, data)
        try:
            browser.size(*WIDE)
            if given.pictures:
                given.pictures.mkdir(parents=True, exist_ok=True)
                pictures(browser, given, given.pictures)
                return
            given.walker = service.add(BUNDLES / "walker.zip")
            given.failed = service.add(b"no model", "broken.zip")
            for case in CASES:
                name = case.__name__.replace("_", " ")
                if given.only and given.only not in case.__name__:
                    continue
                began = time.monotonic()
                try:
                    case(browser, service, given)
                    expect(not browser.dialogs, f"a script of a name ran: {browser.dialogs}")
                    # Of an asset that is not there or has failed the console tells by itself.
                    faults = [fault for fault in browser.faults if "status of 4" not in fault]
                    expect(not faults, "the console says: " + "; ".join(faults))
                    print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)
                except Exception as error:
                    failed.append(name)
                    print(f"error: {name}: {error}", flush=True)
                browser.faults.clear()
                browser.dialogs.clear()
        finally:
            service.stop()
    sys.exit(f"{len(failed)} of {len(CASES)} failed" if failed else 0)


if __name__ == "__main__":
    main()
