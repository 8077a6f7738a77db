// Findings by severity and code: what each means, where it is, and what to do.

import {api, fileAddress, findingCatalogue, ownAddress} from "./api.js";
import {count} from "./format.js";
import {h, icon, replace} from "./dom.js";

const severities = [["error", "Errors"], ["warning", "Warnings"], ["info", "Notes"], ["hint", "Hints"]];
const shownAtOnce = 20;
/// Bytes of a document whose lines are shown.
const sourceLimit = 4 << 20;

/// `failed` is the asset where it could not be read.
export function findingsSection(id, findings, signal, failed = null) {
    const groups = new Map(severities.map(([severity]) => [severity, new Map()]));
    for (const finding of findings?.messages ?? []) {
        const codes = groups.get(finding.severity) ?? groups.get("info");
        codes.set(finding.code, [...(codes.get(finding.code) ?? []), finding]);
    }
    const source = new Source(id, signal, failed);
    const parts = severities.map(([severity, title]) => {
        const codes = groups.get(severity);
        if (!codes.size) return null;
        const all = [...codes.values()].reduce((sum, list) => sum + list.length, 0);
        return h("section", {class: `severity ${severity}`}, h("h3", {}, h("span", {class: `mark ${severity}`}), `${title} (${all})`),
            [...codes].map(([code, list]) => group(code, list, source)));
    });
    return h("section", {class: "panel", "aria-labelledby": "findings-title"}, h("h2", {id: "findings-title"}, "Findings"),
        parts.some(Boolean) ? parts : h("p", {class: "fine"}, icon("check"), "Nothing was found wrong with it."));
}

function group(code, list, source) {
    const title = h("span", {class: "title"}, code);
    const meaning = h("div", {class: "meaning"});
    const places = h("ul", {class: "places"});
    const details = h("details", {class: "finding"},
        h("summary", {}, title, h("code", {}, code), list.length > 1 ? h("span", {class: "quiet"}, count(list.length, "place")) : null),
        meaning, places);
    findingCatalogue().then((catalogue) => { title.textContent = catalogue.get(code)?.title ?? list[0].message; });
    details.addEventListener("toggle", async () => {
        if (!details.open || places.firstChild) return;
        showPlaces(places, list, source, 0);
        const entry = (await findingCatalogue()).get(code);
        if (entry) replace(meaning, h("p", {}, entry.explanation), h("p", {}, h("b", {}, "What to do: "), entry.fix));
    });
    return details;
}

function showPlaces(places, list, source, from) {
    for (const finding of list.slice(from, from + shownAtOnce)) {
        const line = h("code", {class: "source", hidden: true});
        const where = [finding.entry, finding.line, finding.column].filter((part) => part !== null && part !== undefined).join(":");
        places.append(h("li", {}, h("p", {}, finding.message), where ? h("p", {class: "where"}, where) : null, line));
        if (finding.entry && finding.line) {
            source.line(finding.entry, finding.line).then((text) => {
                if (!text) return;
                line.textContent = text;
                line.hidden = false;
            });
        }
    }
    const rest = list.length - from - shownAtOnce;
    if (rest <= 0) return;
    const more = h("li", {}, h("button", {type: "button", class: "button", on: {click: () => { more.remove(); showPlaces(places, list, source, from + shownAtOnce); }}}, `Show more of ${rest}`));
    places.append(more);
}

/// The lines of a bundle's documents, each fetched once where it is no more than a few MB.
class Source {
    constructor(id, signal, failed) {
        Object.assign(this, {id, signal, failed, documents: new Map(), files: null});
    }

    async line(entry, number) {
        if (!this.documents.has(entry)) this.documents.set(entry, this.lines(entry).catch(() => []));
        const text = ((await this.documents.get(entry))[number - 1] ?? "").trim();
        return text.length > 240 ? `${text.slice(0, 240)}…` : text;
    }

    async lines(entry) {
        const place = await this.address(entry);
        if (!place) return [];
        return (await (await api.bytes(place, this.signal)).text()).split(/\r\n|\r|\n/);
    }

    /// `null` where a document is too large or cannot be had.
    async address(entry) {
        if (this.failed) {
            // Of what could not be read no files are known, but a document by itself is the original.
            const isLone = /\.dae$/i.test(this.failed.name) && entry === this.failed.name && this.failed.bytes <= sourceLimit;
            return isLone ? ownAddress(`assets/${this.id}/original`) : null;
        }
        this.files ??= api.get(`assets/${this.id}/files`, {}, this.signal);
        const file = (await this.files).files.find(({path}) => path === entry);
        return file && file.bytes <= sourceLimit ? fileAddress(this.id, entry) : null;
    }
}
