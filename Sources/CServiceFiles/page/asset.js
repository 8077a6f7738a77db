// One asset: the model, what it is, what was found, and what may be done with it.

import {access, mayWrite} from "./session.js";
import {address, api, isShared, ownAddress, pageAddress} from "./api.js";
import {announce, button, confirmed, focusView, h, icon, openDialog, replace} from "./dom.js";
import {bytes, count, digits, length, moment, stateLine, stateWord} from "./format.js";
import {findingsSection} from "./findings.js";
import {listen} from "./events.js";
import {changesSection, materialsSection, texturesSection, treeSection} from "./parts.js";
import {labelsPart} from "./labels.js";
import {modelFigure} from "./viewer.js";
import {shareOf} from "./list.js";

export function showAsset(page, id) {
    const abort = new AbortController();
    const view = new AssetView(page, id, abort.signal);
    const end = listen(id, {
        heard: (kind, _, data) => {
            if (kind === "removed") view.gone("It was removed.");
            else if (kind === "details") view.load();
            else view.stateChanged(data);
        },
        isLive: (isLive) => { if (!view.isGone) page.isLive(isLive); },
        lost: () => view.load(),
    });
    view.end = () => { abort.abort(); end(); view.figure?.end(); };
    view.load();
    return () => { view.isGone = true; view.end(); page.isLive(true); };
}

class AssetView {
    constructor(page, id, signal) {
        Object.assign(this, {page, id, signal, asset: null, figure: null, isGone: false, detailOf: null});
        this.heading = h("h1", {class: "name"}, "…");
        this.chip = h("span", {class: "chip"});
        this.line = h("p", {class: "quiet line"});
        this.progress = h("progress", {max: "1", "aria-label": "Progress", hidden: true});
        this.actions = h("div", {class: "actions"});
        this.detail = h("div", {class: "detail"});
        this.labels = labelsPart(page, (changed) => this.take(changed));
        const back = isShared ? null : page.link({}, {class: "back"}, icon("back"), "All models");
        replace(page.main, h("article", {class: "asset"}, back,
            h("div", {class: "head"}, h("div", {}, this.heading, h("div", {class: "facts"}, this.chip, this.line), this.progress), this.actions),
            this.detail));
        document.title = "Daedalus";
        focusView(this.heading);
    }

    async load() {
        try {
            this.take(await api.get(`assets/${this.id}`, {}, this.signal));
            this.page.isLive(true);
        } catch (error) {
            if (error.name === "AbortError" || error.status === 401) return;
            if ([403, 404].includes(error.status)) return this.gone(error.status === 403 && isShared ? sharedEnd(error) : "There is no such model, or not any more.");
            this.page.isLive(error.status !== 0);
            if (!this.asset || error.status !== 0) this.line.textContent = error.message;
            if (!this.asset) setTimeout(() => { if (!this.isGone) this.load(); }, 3000);
        }
    }

    gone(text) {
        this.isGone = true;
        this.end();
        this.page.isLive(true);
        const heading = h("h1", {}, "Nothing here");
        replace(this.page.main, h("section", {class: "empty"}, icon("box"), heading, h("p", {}, text),
            isShared ? null : this.page.link({}, {class: "button"}, "All models")));
        focusView(heading);
        announce(text);
    }

    stateChanged(state) {
        if (!this.asset) return;
        const before = this.asset.state.state;
        this.asset = {...this.asset, state};
        this.drawHead();
        if (before === state.state) return;
        announce(`${this.asset.name}: ${stateWord(state.state)}`);
        this.load();
    }

    take(asset) {
        this.asset = asset;
        document.title = `${asset.name} – Daedalus`;
        this.drawHead();
        this.labels.draw(asset);
        // Drawn once for each outcome: an event more leaves the model as it is turned.
        const outcome = `${asset.state.state} ${asset.state.attempt}`;
        if (this.detailOf === outcome) return;
        this.detailOf = outcome;
        this.figure?.end();
        this.figure = null;
        if (asset.state.state === "ready") this.showReady();
        else if (asset.state.state === "failed") this.showFailed();
        else replace(this.detail, h("section", {class: "empty"}, icon("box"), h("p", {}, "This page shows it as soon as it is there.")));
    }

    drawHead() {
        const {name, state, availableActions} = this.asset;
        this.heading.textContent = name;
        this.chip.textContent = stateWord(state.state);
        this.chip.className = `chip ${state.state}`;
        this.line.textContent = state.state === "failed" ? "" : stateLine(state);
        const isSettled = state.state === "ready" || state.state === "failed";
        this.progress.hidden = isSettled;
        const share = shareOf(state);
        if (share === null) this.progress.removeAttribute("value");
        else this.progress.value = share;
        const shown = [...availableActions].join() + access.scope;
        if (this.actions.dataset.shown === shown) return;
        this.actions.dataset.shown = shown;
        const may = (action) => !isShared && mayWrite() && availableActions.includes(action);
        replace(this.actions,
            may("retry") && button("Try again", {name: "retry"}, () => this.act("retry")),
            may("cancel") && button("Cancel", {name: "cancel"}, () => this.act("cancel")),
            !isShared && button("Share", {name: "link"}, () => openShare(this.asset)),
            may("remove") && button("Delete", {name: "trash"}, () => this.remove()));
    }

    async act(action) {
        try {
            await api.act(this.id, action);
            this.load();
        } catch (error) { this.tell(error.message); }
    }

    async remove() {
        if (!await confirmed(`Delete ${this.asset.name}?`, "The model and all that was made of it are gone for everybody. This cannot be undone.", "Delete")) return;
        try {
            await api.remove(this.id);
            announce(`${this.asset.name} was deleted.`);
            this.page.go();
        } catch (error) { this.tell(error.message); }
    }

    tell(text) {
        const dialog = openDialog("That did not work", h("p", {}, text), h("footer", {}, button("Close", {}, () => dialog.close())));
    }

    // MARK: - What came of it

    async showReady() {
        const {id, asset, signal} = this;
        const figure = modelFigure(asset, ownAddress);
        this.figure = figure;
        const facts = h("section", {class: "panel"}, h("h2", {}, "Facts"), h("p", {class: "quiet"}, "Loading…"));
        const rest = h("div", {class: "sections"}, h("p", {class: "quiet"}, "Loading what was found…"));
        replace(this.detail, h("div", {class: "stage"}, figure.element, h("div", {class: "side"}, downloads(asset), facts)), rest);
        let inspection;
        try {
            inspection = await api.get(`assets/${id}/inspect`, {}, signal);
        } catch (error) {
            if (error.name === "AbortError") return;
            replace(rest, h("section", {class: "empty"}, icon("warn"), h("p", {}, error.message),
                button("Try again", {name: "retry"}, () => { this.detailOf = null; this.load(); })));
            return;
        }
        if (this.isGone) return;
        replace(facts, h("h2", {}, "Facts"), factList(inspection, asset), this.labels.element);
        replace(rest,
            findingsSection(id, inspection.findings, signal),
            texturesSection(id, inspection.images, signal),
            materialsSection(inspection.materials, inspection.images),
            treeSection(id, inspection.scene, signal),
            changesSection(id, signal));
    }

    async showFailed() {
        const {id, asset, signal} = this;
        const {code, message, stage} = asset.state;
        const rest = h("div", {class: "sections"});
        replace(this.detail,
            h("section", {class: "failure panel", "aria-labelledby": "failed-title"},
                h("h2", {id: "failed-title"}, icon("warn"), "It could not be read"),
                h("p", {}, message), h("p", {class: "quiet small"}, `${code} · while it was ${({download: "downloaded", unzip: "unpacked", parse: "read"})[stage] ?? stage}`), this.labels.element),
            rest);
        const inspection = await api.get(`assets/${id}/inspect`, {}, signal).catch(() => null);
        const found = inspection?.findings;
        const own = {code, severity: "error", message, entry: inspection?.failure?.entry ?? null, line: inspection?.failure?.line ?? null};
        const messages = [own, ...(found?.messages ?? []).filter((one) => one.code !== code)];
        if (!this.isGone) replace(rest, findingsSection(id, {messages}, signal, asset), asset.links.original ? h("section", {class: "panel"}, downloads(asset)) : null);
    }
}

function sharedEnd(error) {
    return error.message.includes("expired") ? "This link has expired. Ask whoever sent it for a new one." : error.message;
}

function factList(inspection, asset) {
    const {scene, document: source, counts, bundle, animationClips} = inspection;
    const size = scene?.sizeInMeters;
    const rows = [
        ["Size", size ? size.map(length).join(" × ") : null],
        ["Units", source ? `1 unit is ${length(source.unit.meter)}${source.unit.name ? ` (${source.unit.name})` : ""}, ${source.upAxis[0]} is up` : null],
        ["Scene", scene ? [count(scene.triangles, "triangle"), count(scene.nodes, "node")].join(", ") : null],
        ["Materials", counts ? `${digits(counts.materials)}, ${count(counts.images, "image")}` : null],
        ["Animation", counts?.animationChannels ? [count(counts.animationChannels, "channel"), animationClips?.length ? count(animationClips.length, "clip") : null].filter(Boolean).join(", ") : null],
        ["Deformed by", counts && (counts.skins || counts.morphs) ? [counts.skins && count(counts.skins, "skin"), counts.morphs && count(counts.morphs, "morph")].filter(Boolean).join(", ") : null],
        ["Made with", source?.authoringTools?.join(", ") || null],
        ["Format", source ? `COLLADA ${source.version ?? "?"}` : null],
        ["Document", bundle?.scene?.path ?? null],
        ["File", asset.bytes === null ? null : [bytes(asset.bytes), bundle ? count(bundle.entries, "entry", "entries") : null].filter(Boolean).join(", ")],
        ["Came from", asset.source === asset.name ? null : asset.source],
        ["Added", moment(asset.created)],
        ["SHA-256", asset.sha256 ? h("code", {class: "digest"}, asset.sha256) : null],
    ];
    return h("dl", {class: "facts-list"}, rows.filter(([, value]) => value !== null).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

// MARK: - To take away

function downloads(asset) {
    const path = `assets/${asset.id}`;
    const stem = asset.name.replace(/(.)\.[^.]*$/, "$1");
    const all = [];
    if (asset.state.state === "ready") {
        all.push(["GLB", "For the web, engines and viewers", address(`${path}/model.glb`), `${stem}.glb`],
            ["GLB, compact", "Smaller numbers, for the web", address(`${path}/model.glb`, {compact: 1}), `${stem}-compact.glb`],
            ["USDZ", "For Apple’s devices", address(`${path}/model.usdz`), `${stem}.usdz`],
            ["OBJ", "With its materials, as an archive", address(`${path}/model.obj.zip`), `${stem}.obj.zip`],
            ["STL", "For printing", address(`${path}/model.stl`), `${stem}.stl`]);
    }
    const reports = [["json", "JSON", "json"], ["sarif", "SARIF", "sarif"], ["md", "Markdown", "md"]];
    const heading = `downloads-${asset.id}`;
    return h("section", {class: "downloads", "aria-labelledby": heading}, h("h2", {id: heading}, "Take away"),
        asset.state.state === "ready" ? arLink(asset) : null,
        h("ul", {}, all.map(([name, use, url, file]) => h("li", {},
            h("a", {href: url, download: file, class: "download"}, icon("down"), h("span", {}, h("b", {}, name), h("small", {}, use)))))),
        h("p", {class: "others"}, "Original: ", h("a", {href: address(`${path}/original`), download: asset.name}, asset.name)),
        h("p", {class: "others"}, "Report: ", reports.map(([format, name, ending], place) => [
            place ? ", " : "", h("a", {href: ownAddress(`${path}/report`, {format}), download: `${stem}.report.${ending}`}, name)])));
}

/// Safari on devices that can shows the model in the room; for others it is not there.
function arLink(asset) {
    const link = h("a", {rel: "ar", class: "ar", href: ownAddress(`assets/${asset.id}/model.usdz`)},
        h("img", {src: ownAddress(`assets/${asset.id}/thumbnail.png`, {size: 256}), alt: `See ${asset.name} in your room`, width: "96", height: "96", loading: "lazy"}));
    return link.relList?.supports?.("ar") ? h("div", {class: "in-room"}, link, h("span", {class: "quiet"}, "See it in your room")) : null;
}

function openShare(asset) {
    const times = [[3600, "An hour"], [86400, "A day"], [7 * 86400, "A week"], [30 * 86400, "30 days"]];
    const choice = h("select", {id: "share-time", autofocus: true}, times.map(([seconds, name]) => h("option", {value: seconds, selected: seconds === 86400}, name)));
    const field = h("input", {id: "share-link", type: "text", readonly: true, value: ""});
    const said = h("p", {class: "quiet", role: "status"});
    const copy = button("Make and copy the link", {kind: "primary"}, async () => {
        try {
            const {links, expires} = await api.links(asset.id, Number(choice.value));
            // Only what the link proves: where the service is, this page knows better.
            const proof = new URL(links.page, document.baseURI).searchParams;
            field.value = pageAddress(Object.fromEntries(proof));
            field.select();
            const isCopied = await navigator.clipboard?.writeText(field.value).then(() => true, () => false);
            said.textContent = `${isCopied ? "Copied." : "Copy it from above."} It holds until ${moment(expires * 1000)}.`;
        } catch (error) { said.textContent = error.message; }
    });
    openDialog(`Share ${asset.name}`,
        h("p", {}, "Whoever has the link sees this model and may download it, without signing in, and nothing else."),
        h("div", {class: "form"}, h("label", {for: "share-time"}, "It holds for"), choice, h("label", {for: "share-link"}, "Link"), field),
        said, h("footer", {}, copy));
}
