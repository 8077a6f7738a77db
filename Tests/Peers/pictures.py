"""Shows converted documents in <model-viewer> and looks at what it draws.

pictures.py DAE CORPUS TOOLS [--all] [--keep FOLDER]: converts the documents of pictures.txt, or all of the corpus with --all, and
shows one after the other on one page in a headless Chromium, which sends back each picture once its load event fired.
The pictures are kept as PNG in FOLDER. A line for each document on standard output: the share of the picture that it
covers, or what went wrong.
"""

import argparse
import http.server
import io
import json
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.dont_write_bytecode = True
from PIL import Image  # noqa: E402
from check_glb import documents  # noqa: E402

HERE = Path(__file__).resolve().parent
# Of the picture's pixels: a model fills its frame, but a thin one may be seen from its edge.
LEAST_COVERED = 0.02
# From the darkest to the brightest pixel of the model, of 255: what is lit is not of one colour.
LEAST_CONTRAST = 8
SECONDS = 600
PAGE = """<!DOCTYPE html>
<script src="/model-viewer.js"></script>
<model-viewer id="viewer" style="width: 480px; height: 360px" loading="eager" reveal="auto" interaction-prompt="none"
    shadow-intensity="0" environment-image="neutral" camera-orbit="30deg 70deg 105%"></model-viewer>
<script>
    const viewer = document.getElementById("viewer");
    const event = (name) => new Promise((done) => viewer.addEventListener(name, done, {once: true}));
    const frame = () => new Promise(requestAnimationFrame);
    const say = (place, what, body) => fetch(`/${what}/${place}`, {method: "POST", body});
    async function show(place) {
        const late = new Promise((done) => setTimeout(done, 60000, {type: "no load event"}));
        const ends = Promise.race([event("load"), event("error"), late]);
        viewer.src = `/${place}.glb`;
        const end = await ends;
        if (end.type !== "load") return say(place, "failed", `${end.type} ${end.detail ? end.detail.type : ""}`);
        viewer.jumpCameraToGoal();
        for (let count = 0; count < 4; count++) await frame();
        return say(place, "picture", await viewer.toBlob({idealAspect: false}));
    }
    (async () => {
        await customElements.whenDefined("model-viewer");
        for (let place = 0; place < COUNT; place++) await show(place);
        await say("all", "done", "");
    })();
</script>
"""


class Gallery(http.server.ThreadingHTTPServer):
    """Hands out the page, the viewer and the models, and takes the pictures. It listens on the loopback only."""

    def __init__(self, viewer, models):
        super().__init__(("127.0.0.1", 0), Visitor)
        self.viewer, self.models = viewer, models
        self.pictures, self.failures, self.is_done = {}, {}, threading.Event()


class Visitor(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        if self.path == "/":
            self.answer("text/html", PAGE.replace("COUNT", str(len(server.models))).encode())
        elif self.path == "/model-viewer.js":
            self.answer("text/javascript", server.viewer.read_bytes())
        elif self.path.endswith(".glb"):
            self.answer("model/gltf-binary", server.models[int(self.path[1:-4])].read_bytes())
        else:
            self.send_error(404)

    def do_POST(self):
        _, what, place = self.path.split("/")
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        if what == "picture":
            self.server.pictures[int(place)] = body
        elif what == "failed":
            self.server.failures[int(place)] = body.decode()
        else:
            self.server.is_done.set()
        self.answer("text/plain", b"")

    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def shown(viewer, models):
    """The pictures, and what went wrong, each by the model's place."""
    with Gallery(viewer, models) as gallery, tempfile.TemporaryDirectory() as profile:
        threading.Thread(target=gallery.serve_forever, daemon=True).start()
        options = ["--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        options += [f"--user-data-dir={profile}", "--no-first-run", "--disable-gpu-watchdog", "--window-size=520,400"]
        page = f"http://127.0.0.1:{gallery.server_address[1]}/"
        log = subprocess.DEVNULL
        browser = subprocess.Popen(["chromium", *options, page], stdout=log, stderr=log, start_new_session=True)
        try:
            gallery.is_done.wait(SECONDS)
        finally:
            browser.terminate()
            browser.wait()
            gallery.shutdown()
        return gallery.pictures, gallery.failures


def judged(png):
    """The share of the picture that is covered, and how bright its darkest and brightest pixels are."""
    picture = Image.open(io.BytesIO(png)).convert("RGBA")
    grey, alpha = picture.convert("RGB").convert("L").tobytes(), picture.getchannel("A").tobytes()
    covered = [light for light, opacity in zip(grey, alpha) if opacity > 127]
    return len(covered) / len(alpha), min(covered, default=0), max(covered, default=0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dae")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("tools", type=Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    viewer = next(options.tools.glob("venv/lib/*/site-packages/dash_model_viewer/vendor/model-viewer-umd.min.js"), None)
    if viewer is None or not shutil.which("chromium"):
        sys.exit("pictures: chromium or <model-viewer> is not installed")
    paths = documents(options.corpus, True) if options.all else (HERE / "pictures.txt").read_text().splitlines()
    is_good = True
    with tempfile.TemporaryDirectory() as folder:
        models = [Path(folder, f"{place}.glb") for place in range(len(paths))]
        for path, model in zip(paths, models):
            subprocess.run([options.dae, "convert", "-q", options.corpus / path, "-o", model], capture_output=True)
        made = [(path, model) for path, model in zip(paths, models) if model.exists()]
        if not options.all and len(made) < len(paths):
            sys.exit("not every document could be converted")
        pictures, failures = shown(viewer, [model for _, model in made])
        for place, (path, _) in enumerate(made):
            if place not in pictures:
                is_good = False
                print(f"{path}: {failures.get(place, 'no load event, and no error')}")
                continue
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{place:03}.png").write_bytes(pictures[place])
            covered, darkest, brightest = judged(pictures[place])
            is_seen = covered >= LEAST_COVERED and brightest - darkest >= LEAST_CONTRAST
            is_good &= is_seen
            print(f"{path}: {'' if is_seen else 'BLANK: '}covers {covered:.1%}, brightness {darkest} to {brightest}")
    sys.exit(not is_good)


if __name__ == "__main__":
    main()
