// The list: pages of fifty, found by name and state, each asset with its picture and how it stands.

import {access, mayWrite} from "./session.js";
import {api, ownAddress, pageAddress} from "./api.js";
import {addPanel} from "./add.js";
import {announce, button, focusView, h, icon, replace} from "./dom.js";
import {bytes, count, moment, stateLine, stateNames, stateWord, time} from "./format.js";
import {listen} from "./events.js";

const pageSize = 50;

export function showList(page, parameters) {
    const filter = {
        name: parameters.get("name") ?? "", state: parameters.get("state") ?? "", label: parameters.getAll("label"), after: parameters.get("after") ?? "",
    };
    const cards = new Map();
    /// The last state of each asset that was heard of: progress within it is no news.
    const told = new Map();
    const [abort, added] = [new AbortController(), new Set()];
    let [timer, newest] = [null, 0];

    const heading = h("h1", {}, "Models");
    const list = h("ul", {class: "list", "aria-label": "Models", "aria-busy": "true"});
    const note = h("div", {class: "note"});
    const pages = h("nav", {class: "pages", "aria-label": "Pages"});
    const panel = mayWrite() ? addPanel(page, (id) => { added.add(id); refresh(); }) : null;

    const search = h("input", {id: "search", type: "search", name: "name", value: filter.name, maxlength: "200", placeholder: "Search by name", autocomplete: "off"});
    const states = h("select", {id: "state", name: "state"},
        h("option", {value: ""}, "All states"),
        stateNames.map((name) => h("option", {value: name, selected: filter.state === name}, stateWord(name))));
    const find = h("form", {class: "find", role: "search", on: {submit: (event) => { event.preventDefault(); narrow(); }}},
        h("label", {class: "unseen", for: "search"}, "Search by name"), h("span", {class: "search"}, icon("search"), search),
        h("label", {class: "unseen", for: "state"}, "State"), states);
    search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(narrow, 250); });
    states.addEventListener("change", narrow);

    const labels = h("div", {class: "actions filters"}, filter.label.map((label) => button(label, {name: "cancel", "aria-label": `Show also those without the label ${label}`},
        () => page.go({...filter, after: "", label: filter.label.filter((other) => other !== label)}))));

    /// Another search begins at the first page; the focus stays where it is.
    function narrow() {
        clearTimeout(timer);
        if (search.value.trim() === filter.name && states.value === filter.state) return;
        Object.assign(filter, {name: search.value.trim(), state: states.value, after: ""});
        history.replaceState(null, "", pageAddress(filter));
        refresh(true);
    }

    async function refresh(isTold = false) {
        const number = newest += 1;
        let answer;
        try {
            answer = await api.get("assets", {...filter, limit: pageSize}, abort.signal);
        } catch (error) {
            if (error.name !== "AbortError" && number === newest) fail(error, isTold);
            return;
        }
        if (number === newest) draw(answer, isTold);
    }

    function fail(error, isAnother) {
        list.setAttribute("aria-busy", "false");
        if (error.status === 401) return;
        if (cards.size && error.status === 0) return page.isLive(false);
        // What stands is not what was asked for.
        if (isAnother) {
            replace(list);
            cards.clear();
        }
        announce(error.message);
        replace(note, h("div", {class: "empty"}, icon("warn"), h("p", {}, error.message), button("Try again", {name: "retry"}, () => refresh())));
    }

    function draw({assets, next}, isTold) {
        list.setAttribute("aria-busy", "false");
        const ids = new Set(assets.map(({id}) => id));
        for (const [id, card] of cards) if (!ids.has(id)) { card.element.remove(); cards.delete(id); }
        assets.forEach((asset, place) => {
            const card = cards.get(asset.id) ?? new Card(page, asset);
            cards.set(asset.id, card);
            card.draw(asset);
            told.set(asset.id, asset.state.state);
            // One that stands where it belongs keeps its focus.
            if (list.children[place] !== card.element) list.insertBefore(card.element, list.children[place] ?? null);
        });
        const isFiltered = filter.name || filter.state || filter.label.length;
        replace(note, assets.length ? null : h("div", {class: "empty"}, icon("box"),
            h("p", {}, isFiltered ? "No model is like that." : filter.after ? "There are no more models." : "No models yet."),
            isFiltered ? button("Show all", {}, () => page.go()) : mayWrite() ? h("p", {class: "quiet"}, "Drop one on this page to see what is in it.") : null));
        replace(pages, filter.after ? page.link({...filter, after: ""}, {class: "button", rel: "prev"}, "Newest") : null,
            next ? page.link({...filter, after: next}, {class: "button", rel: "next"}, "Older") : null);
        if (isTold) announce(count(assets.length, "model") + (next ? " and more" : ""));
    }

    let late = null;
    /// Many changes at once are one look at the list, and not all who watch look at once.
    function refreshSoon() {
        late ??= setTimeout(() => { late = null; refresh(); }, 300 + Math.random() * 400);
    }

    function heard(kind, id, state) {
        const card = cards.get(id);
        if (kind === "removed") {
            told.delete(id);
            if (card) refreshSoon();
            return;
        }
        if (kind === "details") {
            if (card || filter.label.length) refreshSoon();
            return;
        }
        const isNews = told.get(id) !== state.state;
        if (told.size > 10000) told.clear();
        told.set(id, state.state);
        if (card && !filter.state) card.draw({...card.asset, state});
        // Older pages get nothing new.
        if (!isNews || (!card && filter.after)) return;
        const isSettled = state.state === "ready" || state.state === "failed";
        if (card && isSettled && added.has(id)) announce(`${card.asset.name}: ${stateWord(state.state)}`);
        // Its size is known by then.
        if (!card || filter.state || isSettled) refreshSoon();
    }

    const end = listen(null, {heard, isLive: page.isLive, lost: refresh});
    replace(page.main, h("div", {class: "head"}, heading, find), panel?.panel,
        access.scope === "read" ? h("p", {class: "quiet"}, "You may look at everything; adding takes a token that may write.") : null,
        labels, list, note, pages);
    document.title = "Models – Daedalus";
    focusView(heading);
    refresh();
    return () => {
        abort.abort();
        end();
        panel?.end();
        for (const pending of [timer, late]) clearTimeout(pending);
    };
}

/// One asset of the list. It is kept and drawn anew, so that neither focus nor picture is lost.
class Card {
    constructor(page, asset) {
        this.picture = h("div", {class: "picture"}, icon("box"));
        this.name = page.link({asset: asset.id}, {class: "name"}, asset.name);
        this.chip = h("span", {class: "chip"});
        this.line = h("p", {class: "quiet line"});
        this.progress = h("progress", {max: "1", "aria-label": `Progress of ${asset.name}`, hidden: true});
        this.when = h("span", {class: "quiet"});
        this.element = h("li", {class: "card"}, this.picture,
            h("div", {class: "text"}, h("h2", {}, this.name), h("div", {class: "facts"}, this.chip, this.when), this.line, this.progress));
    }

    draw(asset) {
        const state = asset.state.state;
        this.asset = asset;
        this.chip.textContent = stateWord(state);
        this.chip.className = `chip ${state}`;
        this.line.textContent = stateLine(asset.state);
        this.when.textContent = [bytes(asset.bytes), time(asset.created)].filter(Boolean).join(" · ");
        this.when.title = moment(asset.created);
        const share = shareOf(asset.state);
        this.progress.hidden = state === "ready" || state === "failed";
        if (share === null) this.progress.removeAttribute("value");
        else this.progress.value = share;
        if (state === "ready" && !this.hasPicture) {
            this.hasPicture = true;
            const image = h("img", {src: ownAddress(`assets/${asset.id}/thumbnail.png`, {size: 512}), alt: "", loading: "lazy", width: "512", height: "512"});
            image.addEventListener("error", () => { replace(this.picture, icon("box")); this.hasPicture = false; }, {once: true});
            replace(this.picture, image);
        }
    }
}

export function shareOf(state) {
    const [done, all] = {
        downloading: [state.received, state.expected], unzipping: [state.entriesDone, state.entriesTotal],
        parsing: [state.bytesRead, state.bytesTotal],
    }[state.state] ?? [];
    return all ? Math.min(1, done / all) : null;
}
