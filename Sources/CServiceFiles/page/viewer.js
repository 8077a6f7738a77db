// The model in 3D, by three.js where the service has it; else the picture that the service draws.

import {announce, button, h, icon, replace} from "./dom.js";
import {api, viewerAddress} from "./api.js";
import {bytes} from "./format.js";

/// Bytes of a model that is loaded without being asked for.
const modelLimit = 200 << 20;
// Where the service's own pictures are seen from, in degrees: to the right of the front, above it, and the field of view.
const [turn, rise, field] = [30, 20, 30];
/// Around a model that fits the picture.
const margin = 1.06;
const radians = (degrees) => degrees * Math.PI / 180;

/// The figure of an asset; `end` gives back what it holds.
export function modelFigure(asset, address) {
    const view = h("div", {class: "view", "aria-busy": "true"});
    const said = h("p", {class: "said", role: "status"}, "Loading the model…");
    const tools = h("div", {class: "tools", role: "toolbar", "aria-label": "View", hidden: true});
    const element = h("figure", {class: "model"}, view, said, tools);
    const abort = new AbortController();
    let stage = null;
    const path = `assets/${asset.id}`;

    function showPicture(why) {
        const image = h("img", {src: address(`${path}/thumbnail.png`, {size: 1024}), alt: `Picture of ${asset.name}`, width: "1024", height: "1024"});
        image.addEventListener("error", () => replace(view, icon("box")), {once: true});
        replace(view, image);
        view.setAttribute("aria-busy", "false");
        said.textContent = why;
        said.hidden = false;
        tools.hidden = true;
    }

    async function begin(isWanted = false) {
        let three;
        try {
            three = await import(viewerAddress);
        } catch {
            return showPicture("A picture: the 3D viewer is not installed with this service.");
        }
        try {
            const data = await load(address(`${path}/model.glb`), isWanted ? Infinity : modelLimit, abort.signal);
            if (data === null) {
                showPicture("A picture: the model is large. ");
                said.append(button("Load it in 3D", {}, () => { said.textContent = "Loading the model…"; begin(true); }));
                return;
            }
            const model = await new three.GLTFLoader().parseAsync(data, "");
            if (abort.signal.aborted) return;
            stage = new Stage(three, model, view, asset.name);
            replace(tools, toolsOf(stage, asset.name));
            [tools.hidden, said.hidden] = [false, true];
            view.setAttribute("aria-busy", "false");
            announce("The model is shown.");
        } catch (error) {
            if (error.name === "AbortError" || abort.signal.aborted) return;
            stage?.end();
            stage = null;
            showPicture(`A picture: ${error.message}`);
        }
    }

    begin();
    return {element, end: () => { abort.abort(); stage?.end(); stage = null; }};
}

/// The bytes of a model; `null` where they are more than that.
async function load(url, limit, signal) {
    const stop = new AbortController();
    signal.addEventListener("abort", () => stop.abort());
    const answer = await api.bytes(url, stop.signal);
    if (Number(answer.headers.get("Content-Length")) > limit) {
        stop.abort();
        return null;
    }
    return answer.arrayBuffer();
}

function toolsOf(stage, name) {
    const toggle = (label, picture, isOn, action) => {
        const element = button(h("span", {}, label), {name: picture, "aria-pressed": String(isOn), title: label}, () => {
            const isNow = element.getAttribute("aria-pressed") !== "true";
            element.setAttribute("aria-pressed", String(isNow));
            action(isNow);
        });
        return element;
    };
    const clips = stage.clips;
    const tools = [
        button(h("span", {}, "Fit"), {name: "fit", title: "Fit"}, () => stage.fit()),
        toggle("Turn", "turn", false, (isOn) => stage.turn(isOn)),
        toggle("Wireframe", "grid", false, (isOn) => stage.wireframe(isOn)),
        button(h("span", {}, "Save picture"), {name: "camera", title: "Save picture"}, async () => {
            const url = URL.createObjectURL(await stage.picture());
            h("a", {href: url, download: `${name}.png`}).click();
            setTimeout(() => URL.revokeObjectURL(url), 10000);
        }),
    ];
    if (!clips.length) return tools;
    const play = button("", {name: "play", kind: "only-icon", "aria-label": "Play"}, () => stage.play(!stage.isPlaying));
    const time = h("input", {type: "range", min: "0", max: "1", step: "any", value: "0", "aria-label": "Time"});
    time.addEventListener("input", () => stage.seek(Number(time.value)));
    stage.moved = (share, isPlaying) => {
        time.value = share;
        const label = isPlaying ? "Pause" : "Play";
        if (play.getAttribute("aria-label") === label) return;
        play.setAttribute("aria-label", label);
        replace(play, icon(isPlaying ? "pause" : "play"));
    };
    const choice = clips.length < 2 ? null : h("select", {"aria-label": "Animation"},
        clips.map((clip, place) => h("option", {value: place}, clip.name || `Animation ${place + 1}`)));
    choice?.addEventListener("change", () => stage.choose(Number(choice.value)));
    return [...tools, h("div", {class: "player"}, play, time, choice)];
}

/// What is drawn, and from where. It draws only when something is other than before.
class Stage {
    constructor({THREE, OrbitControls}, model, view, name) {
        Object.assign(this, {THREE, view, root: model.scene, clips: model.animations, isPlaying: false, moved: () => {}});
        this.renderer = new THREE.WebGLRenderer({antialias: true, alpha: true});
        this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
        this.renderer.toneMapping = THREE.NeutralToneMapping;
        this.canvas = this.renderer.domElement;
        this.scene = new THREE.Scene();
        this.scene.add(this.root);
        this.root.traverse((object) => {
            object.frustumCulled = false;
            // As strong as a renderer of long ago took them, in units that nobody wrote down: the view has its own.
            if (object.isLight) object.visible = false;
        });
        this.light();
        this.camera = new THREE.PerspectiveCamera(field, 1, 0.1, 10);
        this.scene.add(this.camera);
        this.box = new THREE.Box3().setFromObject(this.root, true);
        if (this.box.isEmpty()) throw new Error("there is nothing to see in this model.");
        this.radius = this.box.getSize(new THREE.Vector3()).length() / 2 || 1;
        this.middle = this.box.getCenter(new THREE.Vector3());
        this.controls = new OrbitControls(this.camera, this.canvas);
        // A page is scrolled past a model that nobody touched.
        Object.assign(this.controls, {enableZoom: false, autoRotateSpeed: 1.5, minDistance: this.radius / 50, maxDistance: this.radius * 20});
        this.canvas.style.touchAction = "pan-y";
        this.controls.addEventListener("change", () => this.draw());
        for (const [attribute, value] of [["tabindex", "0"], ["role", "application"],
            ["aria-label", `3D view of ${name}. Arrow keys turn it, plus and minus zoom, 0 fits it, space plays it.`]]) this.canvas.setAttribute(attribute, value);
        this.canvas.addEventListener("keydown", (event) => this.pressed(event));
        this.canvas.addEventListener("focus", () => { this.controls.enableZoom = true; });
        this.canvas.addEventListener("blur", () => { this.controls.enableZoom = false; });
        this.canvas.addEventListener("pointerdown", () => this.canvas.focus({preventScroll: true}));
        if (this.clips.length) this.choose(0);
        replace(view, this.canvas);
        this.isUntouched = true;
        this.controls.addEventListener("start", () => { this.isUntouched = false; });
        this.watch = new ResizeObserver(() => this.resize());
        this.watch.observe(view);
        this.resize();
    }

    /// A bright sky over a floor, a light over the shoulder and a weak one from the other side. Documents of COLLADA have no
    /// metals that would need something to mirror.
    light() {
        const {THREE} = this;
        this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8f8a84, 1.8));
        for (const [strength, ...place] of [[2, 1.5, 3, 2], [0.5, -3, 1, -1]]) {
            const light = new THREE.DirectionalLight(0xffffff, strength);
            light.position.set(...place);
            this.scene.add(light);
        }
    }

    resize() {
        const {clientWidth: width, clientHeight: height} = this.view;
        if (!width || !height) return;
        this.renderer.setSize(width, height);
        this.camera.aspect = width / height;
        if (this.isUntouched) this.fit();
        this.draw(true);
    }

    /// All corners of the box are in the picture, as in the service's own.
    fit() {
        const {Vector3} = this.THREE;
        const [side, up] = [radians(turn), radians(rise)];
        const back = new Vector3(Math.sin(side) * Math.cos(up), Math.sin(up), Math.cos(side) * Math.cos(up));
        const right = new Vector3(Math.cos(side), 0, -Math.sin(side));
        const above = new Vector3().crossVectors(back, right);
        let distance = 0;
        for (let place = 0; place < 8; place++) {
            const {min, max} = this.box;
            const corner = new Vector3(place & 1 ? max.x : min.x, place & 2 ? max.y : min.y, place & 4 ? max.z : min.z).sub(this.middle);
            const reach = Math.max(Math.abs(corner.dot(right)) / this.camera.aspect, Math.abs(corner.dot(above))) * margin / Math.tan(radians(field / 2));
            distance = Math.max(distance, corner.dot(back) + reach);
        }
        this.isUntouched = true;
        this.controls.target.copy(this.middle);
        this.camera.position.copy(this.middle).addScaledVector(back, distance || 1);
        this.controls.update();
        this.draw();
    }

    /// Draws once with the next frame, or at once.
    draw(isNow = false) {
        if (isNow) return this.render();
        this.frame ??= requestAnimationFrame((time) => this.step(time));
    }

    step(time) {
        this.frame = null;
        const seconds = Math.min(0.1, (time - (this.last ?? time)) / 1000);
        this.last = time;
        if (this.isPlaying) {
            this.mixer.update(seconds);
            this.moved(this.share, true);
        }
        if (this.controls.autoRotate) this.controls.update(seconds);
        this.render();
        if (this.isPlaying || this.controls.autoRotate) this.draw();
        else this.last = null;
    }

    render() {
        const distance = this.camera.position.distanceTo(this.middle);
        this.camera.near = Math.max(distance - this.radius * 3, this.radius / 1000);
        this.camera.far = distance + this.radius * 3;
        this.camera.updateProjectionMatrix();
        this.renderer.render(this.scene, this.camera);
    }

    /// As it is seen now, on nothing.
    picture() {
        this.render();
        return new Promise((done) => this.canvas.toBlob(done, "image/png"));
    }

    turn(isOn) {
        this.controls.autoRotate = isOn;
        this.isUntouched = false;
        this.draw();
    }

    wireframe(isOn) {
        for (const material of materialsOf(this.root)) material.wireframe = isOn;
        this.draw();
    }

    // MARK: - Animations

    choose(place) {
        const wasPlaying = this.isPlaying;
        this.mixer?.stopAllAction();
        this.mixer ??= new this.THREE.AnimationMixer(this.root);
        this.clip = this.clips[place];
        this.action = this.mixer.clipAction(this.clip);
        // Its pose at rest stands until it is played.
        this.isBegun = false;
        if (wasPlaying) this.play(true);
        else this.moved(0, false);
        this.draw();
    }

    get share() { return this.clip.duration ? (this.action.time % this.clip.duration) / this.clip.duration : 0; }

    play(isOn) {
        this.begin();
        this.isPlaying = isOn;
        this.moved(this.share, isOn);
        this.draw();
    }

    seek(share) {
        this.begin();
        this.isPlaying = false;
        this.action.time = share * this.clip.duration;
        this.mixer.update(0);
        this.moved(share, false);
        this.draw();
    }

    begin() {
        if (this.isBegun) return;
        this.isBegun = true;
        this.action.reset().play();
    }

    // MARK: - Keyboard

    pressed(event) {
        const {MathUtils, Spherical, Vector3} = this.THREE;
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], "+": [0, 0, 1 / 1.2], "=": [0, 0, 1 / 1.2], "-": [0, 0, 1.2]};
        const step = steps[event.key];
        if (event.key === "0") this.fit();
        else if (event.key === " " && this.clips.length) this.play(!this.isPlaying);
        else if (step) {
            const away = new Spherical().setFromVector3(new Vector3().subVectors(this.camera.position, this.controls.target));
            away.theta += radians(step[0] * 10);
            away.phi = MathUtils.clamp(away.phi + radians(step[1] * 10), 0.01, Math.PI - 0.01);
            away.radius = MathUtils.clamp(away.radius * (step[2] ?? 1), this.controls.minDistance, this.controls.maxDistance);
            this.camera.position.setFromSpherical(away).add(this.controls.target);
            this.isUntouched = false;
            this.controls.update();
            this.draw();
        } else return;
        event.preventDefault();
    }

    end() {
        cancelAnimationFrame(this.frame);
        this.watch?.disconnect();
        this.controls?.dispose();
        this.mixer?.stopAllAction();
        disposeOf(this.root);
        this.renderer.dispose();
        this.renderer.forceContextLoss();
        this.canvas.remove();
    }
}

function materialsOf(root) {
    const found = new Set();
    root.traverse(({material}) => { for (const one of [material ?? []].flat()) found.add(one); });
    return found;
}

function disposeOf(root) {
    for (const material of materialsOf(root)) {
        for (const value of Object.values(material)) {
            if (!value?.isTexture) continue;
            value.source?.data?.close?.();
            value.dispose();
        }
        material.dispose();
    }
    root.traverse((object) => { object.geometry?.dispose(); object.skeleton?.dispose(); });
}
