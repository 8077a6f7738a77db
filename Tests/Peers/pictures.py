"""Shows converted documents in <model-viewer> and holds what it draws against `dae render`.

pictures.py DAE CORPUS TOOLS [--all] [--compact] [--keep FOLDER]: converts the documents of pictures.txt, or all of the corpus with --all, and
shows one after the other on one page in a headless Chromium, which sends back each picture once its load event fired. Both
are seen from where `dae render --camera fit` looks from, reckoned here from the file's own numbers. The pictures of both
are kept as PNG in FOLDER. With --compact the files are those of `--compact quantized`. A line for each document on standard output: the share of the picture that it covers and how far
the silhouettes agree, or what went wrong.
"""

import argparse
import http.server
import io
import json
import math
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.dont_write_bytecode = True
import numpy  # noqa: E402
from PIL import Image  # noqa: E402
from check_glb import documents  # noqa: E402
from glb import GLB  # noqa: E402
from pose import Pose  # noqa: E402

HERE = Path(__file__).resolve().parent
# Of the picture's pixels: a model fills its frame, but a thin one may be seen from its edge.
LEAST_COVERED = 0.01
# Of the pixels that either picture covers, those that both do; pictures.txt has the few that are less, and why.
LEAST_AGREEMENT = 0.98
# The viewer widens its field for models that are wider than the picture.
WIDTH, HEIGHT = 640, 480
# Degrees, of the camera: to the right of the front, above it, and from the lower to the upper edge of the picture.
TURN, RISE, FIELD = 30, 20, 30
# Around a model that fits the picture.
MARGIN = 1.06
SECONDS = 600
PAGE = """<!DOCTYPE html>
<script src="/model-viewer.js"></script>
<model-viewer id="viewer" style="width: WIDTHpx; height: HEIGHTpx" loading="eager" reveal="auto" interaction-prompt="none"
    shadow-intensity="0" environment-image="neutral" min-camera-orbit="auto 0deg 0m" field-of-view="FIELDdeg"></model-viewer>
<script>
    const cameras = CAMERAS;
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
        const {target, distance} = cameras[place];
        viewer.cameraTarget = target.map((number) => `${number.toFixed(9)}m`).join(" ");
        // What it sees ends where the camera may be at most: no further than needed, for the sake of the depths.
        viewer.maxCameraOrbit = `auto 180deg ${(2 * distance).toFixed(9)}m`;
        viewer.cameraOrbit = `TURNdeg POLARdeg ${distance.toFixed(9)}m`;
        await viewer.updateComplete;
        viewer.jumpCameraToGoal();
        for (let count = 0; count < 4; count++) await frame();
        return say(place, "picture", await viewer.toBlob({idealAspect: false}));
    }
    (async () => {
        await customElements.whenDefined("model-viewer");
        customElements.get("model-viewer").minimumRenderScale = 1;
        for (let place = 0; place < cameras.length; place++) await show(place);
        await say("all", "done", "");
    })();
</script>
"""


class Gallery(http.server.ThreadingHTTPServer):
    """Hands out the page, the viewer and the models, and takes the pictures. It listens on the loopback only."""

    def __init__(self, viewer, models):
        super().__init__(("127.0.0.1", 0), Visitor)
        self.viewer, self.models = viewer, models
        self.page = PAGE.replace("CAMERAS", json.dumps([camera(model) for model in models]))
        for name, value in (("WIDTH", WIDTH), ("HEIGHT", HEIGHT), ("TURN", TURN), ("POLAR", 90 - RISE), ("FIELD", FIELD)):
            self.page = self.page.replace(name, str(value))
        self.pictures, self.failures, self.is_done = {}, {}, threading.Event()


class Visitor(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        if self.path == "/":
            self.answer("text/html", server.page.encode())
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


def camera(model):
    """What it looks at, and from how far: from there all corners of the box are in the picture."""
    low, high = (numpy.array(end) for end in Pose(GLB(model)).bounds())
    middle, half = (low + high) / 2, math.tan(math.radians(FIELD / 2))
    turn, rise = math.radians(TURN), math.radians(RISE)
    back = numpy.array([math.sin(turn) * math.cos(rise), math.sin(rise), math.cos(turn) * math.cos(rise)])
    right = numpy.array([math.cos(turn), 0, -math.sin(turn)])
    up = numpy.cross(back, right)
    corners = numpy.array([[(low, high)[place >> axis & 1][axis] for axis in range(3)] for place in range(8)]) - middle
    reach = numpy.maximum(abs(corners @ right) * HEIGHT / WIDTH, abs(corners @ up)) * MARGIN / half
    return {"target": middle.tolist(), "distance": float((corners @ back + reach).max())}


def shown(viewer, models):
    """The pictures, and what went wrong, each by the model's place."""
    with Gallery(viewer, models) as gallery, tempfile.TemporaryDirectory() as profile:
        threading.Thread(target=gallery.serve_forever, daemon=True).start()
        options = ["--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        options += [f"--user-data-dir={profile}", "--no-first-run", "--disable-gpu-watchdog", "--window-size=680,600"]
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


def drawn(dae, document, target):
    """The picture that `dae render` makes of it."""
    command = [dae, "render", "-q", document, "-o", target, "--camera", "fit", "--size", f"{WIDTH}x{HEIGHT}"]
    subprocess.run(command + ["--background", "transparent"], capture_output=True)
    return target.read_bytes() if target.exists() else None


def silhouette(png):
    return numpy.asarray(Image.open(io.BytesIO(png)).convert("RGBA").getchannel("A")) > 127


def agreement(first, second):
    first, second = silhouette(first), silhouette(second)
    return (first & second).sum() / max(1, (first | second).sum())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dae")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("tools", type=Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--compact", action="store_true")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    if options.keep and options.compact:
        options.keep /= "compact"
    viewer = next(options.tools.glob("venv/lib/*/site-packages/dash_model_viewer/vendor/model-viewer-umd.min.js"), None)
    if viewer is None or not shutil.which("chromium"):
        sys.exit("pictures: chromium or <model-viewer> is not installed")
    sample = [line.split("\t") for line in (HERE / "pictures.txt").read_text().splitlines()]
    least = {path: float(rest[0]) for path, *rest in sample if rest}
    paths = documents(options.corpus, True) if options.all else [path for path, *_ in sample]
    is_good = True
    with tempfile.TemporaryDirectory() as folder:
        models = [Path(folder, f"{place}.glb") for place in range(len(paths))]
        for path, model in zip(paths, models):
            command = [options.dae, "convert", "-q", options.corpus / path, "-o", model]
            subprocess.run(command + ["--compact", "quantized"] * options.compact, capture_output=True)
        made = [(path, model) for path, model in zip(paths, models) if model.exists()]
        if not options.all and len(made) < len(paths):
            sys.exit("not every document could be converted")
        pictures, failures = shown(viewer, [model for _, model in made])
        for place, (path, _) in enumerate(made):
            if place not in pictures:
                is_good = False
                print(f"{path}: {failures.get(place, 'no load event, and no error')}")
                continue
            ours = drawn(options.dae, options.corpus / path, Path(folder, f"{place}.png"))
            if ours is None:
                is_good = False
                print(f"{path}: dae render made no picture")
                continue
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{place:03}.png").write_bytes(pictures[place])
                (options.keep / f"{place:03}-ours.png").write_bytes(ours)
            covered = silhouette(pictures[place]).mean()
            agreed = agreement(pictures[place], ours)
            is_same = covered >= LEAST_COVERED and agreed >= least.get(path, LEAST_AGREEMENT)
            is_good &= is_same
            print(f"{path}: {'' if is_same else 'DIFFERS: '}covers {covered:.1%}, silhouettes {agreed:.4f}", flush=True)
    sys.exit(not is_good)


if __name__ == "__main__":
    main()
