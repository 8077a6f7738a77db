// The labels of an asset, by which it is found again, and when the service removes it.

import {announce, button, h, openDialog, replace} from "./dom.js";
import {api, isShared} from "./api.js";
import {mayWrite} from "./session.js";
import {moment} from "./format.js";

/// The facts, drawn anew for each change; the button stays, so that it keeps the focus. `changed` gets the asset after a
/// change that was made here.
export function labelsPart(page, changed) {
    let asset = null;
    const list = h("dl", {class: "facts-list"});
    const change = !isShared && mayWrite() && button("Change labels and expiry", {}, () => openForm(asset, changed));
    return {
        element: h("div", {}, list, change),
        draw(drawn) {
            asset = drawn;
            const labels = texts(asset.labels);
            const rows = [
                ["Expires", asset.expires === null ? null : moment(asset.expires)],
                ["Labels", labels.length ? h("ul", {class: "labels"}, labels.map((label) => h("li", {}, isShared ? label : page.link({label}, {}, label)))) : null],
            ];
            replace(list, rows.filter(([, value]) => value !== null).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
        },
    };
}

const texts = (labels) => Object.entries(labels).sort().map(([name, value]) => `${name}=${value}`);

function openForm(asset, changed) {
    const labels = h("textarea", {id: "labels", spellcheck: "false", placeholder: "project=bridge"});
    labels.value = texts(asset.labels).join("\n");
    const expires = h("input", {id: "expires", type: "datetime-local"});
    if (asset.expires !== null) expires.value = localTime(asset.expires);
    const before = expires.value;
    const fault = h("p", {class: "fault", role: "alert"});
    async function save(event) {
        event.preventDefault();
        // Only what is other than before: what somebody else changes meanwhile stays.
        const change = {labels: difference(asset.labels, labels.value)};
        if (expires.value !== before) change.expires = expires.value ? new Date(expires.value).getTime() : null;
        try {
            changed(await api.change(asset.id, change));
            announce("Saved.");
            dialog.close();
        } catch (error) { fault.textContent = error.message; }
    }
    const dialog = openDialog(`Labels and expiry of ${asset.name}`, h("form", {on: {submit: save}},
        h("div", {class: "form"}, h("label", {for: "labels"}, "Labels, one a line: name=value"), labels,
            h("label", {for: "expires"}, "Is removed at (empty: never)"), expires),
        fault, h("footer", {}, h("button", {type: "submit", class: "button primary"}, "Save"))));
}

/// A JSON merge patch from labels to those of a text.
function difference(labels, text) {
    const wanted = new Map(text.split("\n").filter((line) => line.trim()).map((line) => {
        const [name, ...value] = line.split("=");
        return [name.trim(), value.join("=")];
    }));
    const patch = Object.create(null);
    for (const name of Object.keys(labels)) if (!wanted.has(name)) patch[name] = null;
    for (const [name, value] of wanted) if (labels[name] !== value) patch[name] = value;
    return patch;
}

/// As the field for a time has it.
function localTime(milliseconds) {
    const date = new Date(milliseconds);
    return new Date(milliseconds - date.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}
