// What a model is made of: textures and how each was found, materials, nodes.

import {api, fileAddress} from "./api.js";
import {bytes, count, digits, ruleWord} from "./format.js";
import {h, icon, replace} from "./dom.js";

const shownAtOnce = 60;
const pictures = {png: "image/png", jpeg: "image/jpeg", jpg: "image/jpeg", webp: "image/webp"};
/// Bytes and pixels of an image that is shown.
const pictureLimit = {bytes: 8 << 20, pixels: 64e6};

/// A list that shows some, and the rest when asked to.
function shownInParts(list, all, draw) {
    let at = 0;
    const more = h("button", {type: "button", class: "button", on: {click: step}});
    function step() {
        list.append(...all.slice(at, at + shownAtOnce).map(draw));
        at += shownAtOnce;
        more.hidden = at >= all.length;
        more.textContent = `Show more of ${digits(Math.max(0, all.length - at))}`;
    }
    step();
    return [list, more];
}

// MARK: - Textures

const states = {found: "Found", missing: "Missing", embedded: "Embedded", blocked: "Not allowed", ambiguous: "Ambiguous", remote: "On the web"};

export function texturesSection(id, images, signal) {
    if (!images?.length) return null;
    const viewed = new IntersectionObserver((entries) => {
        for (const {target, isIntersecting} of entries) {
            if (!isIntersecting) continue;
            viewed.unobserve(target);
            target.show?.();
        }
    }, {rootMargin: "200px"});
    signal.addEventListener("abort", () => viewed.disconnect());
    const list = h("ul", {class: "textures"});
    return h("section", {class: "panel", "aria-labelledby": "textures-title"}, h("h2", {id: "textures-title"}, `Textures (${digits(images.length)})`),
        shownInParts(list, images, (image) => texture(id, image, viewed, signal)));
}

function texture(id, image, viewed, signal) {
    const place = h("div", {class: "picture"}, icon(image.status === "found" || image.status === "embedded" ? "grid" : "warn"));
    const type = pictures[image.format];
    const isSmall = image.bytes <= pictureLimit.bytes && (image.width ?? 0) * (image.height ?? 0) <= pictureLimit.pixels;
    const url = image.path && image.status === "found" ? fileAddress(id, image.path) : null;
    if (type && url && isSmall) {
        place.show = () => showPicture(place, url, type, signal);
        viewed.observe(place);
    }
    const how = image.rule ? `Found ${ruleWord(image.rule)}${image.confidence && image.confidence !== "certain" ? `, ${image.confidence}` : ""}.` : image.reason;
    const what = [image.format?.toUpperCase(), image.width ? `${image.width} × ${image.height}` : null, bytes(image.bytes)].filter(Boolean).join(" · ");
    return h("li", {}, place, h("div", {class: "text"},
        h("p", {class: "name"}, image.path ?? image.reference ?? image.name ?? image.id ?? "?"),
        h("p", {}, h("span", {class: `chip ${image.status}`}, states[image.status] ?? image.status), " ", h("span", {class: "quiet"}, what)),
        how ? h("p", {class: "quiet"}, how) : null,
        image.reference && image.path && image.reference !== image.path ? h("p", {class: "quiet"}, "Written as ", h("code", {}, image.reference)) : null,
        image.faults?.length ? h("p", {class: "fault"}, image.faults.map((fault) => (typeof fault === "string" ? fault : fault.message ?? fault.code ?? "")).join(" ")) : null));
}

/// A file of the bundle is an attachment, and of a type that no browser runs; its bytes are a picture here alone.
async function showPicture(place, url, type, signal) {
    try {
        const data = await (await api.bytes(url, signal)).arrayBuffer();
        const source = URL.createObjectURL(new Blob([data], {type}));
        const image = h("img", {src: source, alt: ""});
        await image.decode().finally(() => URL.revokeObjectURL(source));
        replace(place, image);
    } catch { /* Its name stands beside it. */ }
}

// MARK: - Materials

export function materialsSection(materials, images) {
    if (!materials?.length) return null;
    const names = new Map((images ?? []).map((image) => [image.id, image]));
    const body = h("tbody");
    const row = (material) => h("tr", {},
        h("th", {scope: "row"}, material.name ?? material.id ?? "?", material.used ? null : h("span", {class: "quiet"}, " (unused)")),
        h("td", {}, [material.shading, material.opacity !== null && material.opacity < 1 ? `opacity ${Number(material.opacity.toPrecision(3))}` : null,
            material.doubleSided ? "double-sided" : null].filter(Boolean).join(", ")),
        h("td", {}, material.textures?.length ? h("ul", {class: "bare"}, material.textures.map((use) => {
            const image = names.get(use.image);
            return h("li", {}, h("span", {class: "quiet"}, `${use.property}: `), image?.path ?? image?.reference ?? use.image ?? "?",
                image && image.status !== "found" && image.status !== "embedded" ? h("span", {class: `chip ${image.status}`}, states[image.status] ?? image.status) : null);
        })) : h("span", {class: "quiet"}, "none")));
    const table = h("table", {}, h("thead", {}, h("tr", {}, ["Material", "Shading", "Textures"].map((title) => h("th", {scope: "col"}, title)))), body);
    const [, more] = shownInParts(body, materials, row);
    return h("section", {class: "panel", "aria-labelledby": "materials-title"}, h("h2", {id: "materials-title"}, `Materials (${digits(materials.length)})`),
        h("div", {class: "scrolled", tabindex: "0", role: "group", "aria-label": "Materials"}, table), more);
}

// MARK: - Nodes

const [childLimit, rowLimit, openDepth] = [200, 2000, 2];

/// A part that is asked for when somebody opens it.
function opened(title, load) {
    const place = h("div", {class: "opened"});
    const details = h("details", {}, h("summary", {}, h("h2", {}, title)), place);
    let isAsked = false;
    details.addEventListener("toggle", async () => {
        if (!details.open || isAsked) return;
        isAsked = true;
        replace(place, h("p", {class: "quiet"}, "Loading…"));
        try {
            replace(place, await load());
        } catch (error) {
            isAsked = false;
            replace(place, h("p", {class: "fault"}, error.message));
        }
    });
    return h("section", {class: "panel"}, details);
}

export const treeSection = (id, scene, signal) => opened(`Nodes (${digits(scene?.nodes ?? 0)})`, async () => {
    const {nodes, roots} = (await api.get(`assets/${id}/tree`, {}, signal)).scene;
    return h("div", {class: "tree"}, new Tree(nodes).level(roots, 1));
});

class Tree {
    constructor(nodes) { Object.assign(this, {nodes, rows: 0}); }

    level(places, depth, from = 0) {
        const list = h("ul", {});
        this.fill(list, places, depth, from);
        return list;
    }

    fill(list, places, depth, from) {
        const until = Math.min(places.length, from + childLimit, from + Math.max(20, rowLimit - this.rows));
        for (const place of places.slice(from, until)) list.append(this.row(place, depth));
        this.rows += until - from;
        if (until >= places.length) return;
        const more = h("li", {}, h("button", {type: "button", class: "button", on: {click: () => { more.remove(); this.fill(list, places, depth, until); }}},
            `Show more of ${digits(places.length - until)}`));
        list.append(more);
    }

    row(place, depth) {
        const node = this.nodes[place];
        if (!node) return h("li", {}, "?");
        const kinds = [node.type === "JOINT" ? "joint" : null, ...node.instances.map(({kind, name, id}) => `${kind} ${name ?? id ?? ""}`.trim())];
        const words = [h("span", {class: "name"}, node.name ?? node.id ?? "unnamed"), h("span", {class: "quiet"}, kinds.filter(Boolean).join(", "))];
        if (!node.children.length) return h("li", {}, h("span", {class: "leaf"}, words));
        const below = h("div", {});
        const details = h("details", {}, h("summary", {}, words, h("span", {class: "quiet"}, count(node.children.length, "child", "children"))), below);
        // A graph may lead back to where it was: each level is drawn when it is opened.
        const open = () => { if (!below.firstChild) below.append(this.level(node.children, depth + 1)); };
        details.addEventListener("toggle", () => { if (details.open) open(); });
        if (depth < openDepth && this.rows < rowLimit / 4) details.open = true;
        return h("li", {}, details);
    }
}

// MARK: - What became of it

export const changesSection = (id, signal) => opened("What becoming a GLB changed", async () => {
    const {changes} = await api.get(`assets/${id}/changes`, {format: "glb", redirect: "off"}, signal);
    const parts = [["Other than before", changes.filter(({isLoss}) => isLoss)], ["The same in another form", changes.filter(({isLoss}) => !isLoss)]];
    return changes.length ? parts.map(([title, list]) => (list.length ? [h("h3", {}, title), h("ul", {class: "changes"}, list.map(change))] : null))
        : h("p", {class: "fine"}, icon("check"), "Nothing: all that the document says is in it.");
});

function change({title, count: number, places, deviation, deviationOf}) {
    const more = number > places.length ? ", …" : "";
    return h("li", {}, `${digits(number)} × ${title}`,
        deviation ? h("span", {class: "quiet"}, ` – at most ${Number(deviation.toPrecision(2))} ${deviationOf ?? ""}`) : null,
        places.length ? h("p", {class: "quiet small"}, places.join(", ") + more) : null);
}
