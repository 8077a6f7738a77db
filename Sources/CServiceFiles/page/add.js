// Adding models: files and folders that are dropped or chosen, and links that are pasted.

import {announce, button, h, icon, replace} from "./dom.js";
import {api} from "./api.js";
import {bytes, count} from "./format.js";
import {Upload} from "./upload.js";
import {zip} from "./zip.js";

const models = /\.(dae|zip|zae|kmz)$/i;
const ignored = /(^|\/)(\.[^/]+|__MACOSX|Thumbs\.db|desktop\.ini)(\/|$)/;

/// Uploads outlive the view that began them.
const uploads = new Set();
let redraw = () => {};

window.addEventListener("beforeunload", (event) => {
    if ([...uploads].some((upload) => !upload.isOver)) event.preventDefault();
});

/// The panel; `added` is told that the list has something new.
export function addPanel(page, added) {
    const rows = h("ul", {class: "uploads", "aria-label": "Uploads"});
    const fault = h("p", {class: "fault", role: "alert"});
    const files = h("input", {type: "file", multiple: true, class: "unseen", tabindex: "-1", "aria-label": "Files to upload"});
    const folder = h("input", {type: "file", webkitdirectory: true, class: "unseen", tabindex: "-1", "aria-label": "Folder to upload"});
    const link = h("input", {
        id: "link", type: "url", name: "link", placeholder: "https://…/model.zip", autocomplete: "off", maxlength: "8192",
    });
    const add = h("button", {type: "submit", class: "button"}, icon("link"), "Add link");
    files.addEventListener("change", () => take([...files.files].map((file) => ({path: file.name, file})), files));
    folder.addEventListener("change", () => take([...folder.files].map((file) => ({path: file.webkitRelativePath, file})), folder));

    async function take(entries, input = null) {
        fault.textContent = "";
        try {
            const {wanted, left} = await packed(entries);
            for (const {file, name} of wanted) uploads.add(new Upload(file, name, changed));
            if (left) fault.textContent = `${count(left, "file")} that ${left === 1 ? "is" : "are"} no model left out: drop their folder instead.`;
        } catch (error) {
            fault.textContent = error.message;
        }
        if (input) input.value = "";
        redraw();
    }

    function changed(upload) {
        if (upload.state === "done" && !upload.isTold) {
            upload.isTold = true;
            announce(`${upload.name} is uploaded.`);
            added(upload.asset);
            setTimeout(() => { uploads.delete(upload); redraw(); }, 4000);
        }
        redraw();
    }

    async function addLink(event) {
        event.preventDefault();
        fault.textContent = "";
        const url = link.value.trim();
        if (!/^https?:\/\//i.test(url)) {
            fault.textContent = "A link begins with http:// or https://.";
            return link.focus();
        }
        add.disabled = true;
        try {
            const asset = await api.addLink(url);
            link.value = "";
            announce(`${asset.name} was added.`);
            added(asset.id);
        } catch (error) {
            fault.textContent = error.message;
            link.focus();
        }
        add.disabled = false;
    }

    redraw = () => drawUploads(page, rows);
    const panel = h("section", {class: "add panel", "aria-labelledby": "add-title"},
        h("div", {class: "drop"}, icon("add"),
            h("h2", {id: "add-title"}, "Add models"),
            h("p", {class: "quiet"}, "Drop files or a folder here: .dae, .zae, .kmz, .zip. A folder goes up as one archive, with its textures."),
            h("div", {class: "actions"},
                button("Choose files", {kind: "primary"}, () => files.click()),
                button("Choose a folder", {}, () => folder.click()), files, folder)),
        h("form", {class: "by-link", on: {submit: addLink}}, h("label", {for: "link"}, "Or add by a link"), h("div", {class: "field"}, link, add)),
        fault, rows);
    redraw();
    return {panel, end: acceptDrops(panel, take)};
}

function drawUploads(page, rows) {
    replace(rows, [...uploads].map((upload) => {
        const share = Math.round(upload.share * 100);
        const words = {
            waiting: "Waiting", sending: upload.asset ? "Taking it in" : `${share} % of ${bytes(upload.file.size)}`,
            broken: `${upload.fault} Trying again…`, done: "Uploaded", failed: upload.fault, cancelled: "Cancelled",
        };
        const end = upload.isOver
            ? () => { uploads.delete(upload); redraw(); }
            : () => { upload.cancel(); uploads.delete(upload); redraw(); };
        return h("li", {class: `upload ${upload.state}`},
            upload.asset ? page.link({asset: upload.asset}, {class: "name"}, upload.name) : h("span", {class: "name"}, upload.name),
            h("span", {class: "quiet", "data-state": upload.state}, words[upload.state]),
            upload.isOver ? null : h("progress", {max: "100", value: share, "aria-label": `Upload of ${upload.name}`}),
            upload.state === "done" ? icon("check") : button("", {
                name: "cancel", kind: "quiet only-icon", "aria-label": `${upload.isOver ? "Dismiss" : "Cancel"} ${upload.name}`,
            }, end));
    }));
}

/// What is uploaded of what was chosen: each model by itself, but a folder, or a document with the files around it, as one
/// archive, since the document names them.
async function packed(entries) {
    const wanted = entries.filter(({path}) => !ignored.test(path));
    const [loose, folders] = [[], new Map()];
    for (const entry of wanted) {
        const slash = entry.path.indexOf("/");
        if (slash < 0) loose.push(entry);
        else {
            const top = entry.path.slice(0, slash);
            folders.set(top, [...(folders.get(top) ?? []), {...entry, path: entry.path.slice(slash + 1)}]);
        }
    }
    const uploads = [];
    let left = 0;
    for (const [top, inside] of folders) uploads.push({file: await zip(inside, `${top}.zip`), name: `${top}.zip`});
    const [documents, others] = [loose.filter(({path}) => models.test(path)), loose.filter(({path}) => !models.test(path))];
    if (others.length && documents.length === 1 && /\.dae$/i.test(documents[0].path)) {
        const name = documents[0].path.replace(/\.dae$/i, ".zip");
        uploads.push({file: await zip(loose, name), name});
    } else {
        for (const {path, file} of documents) uploads.push({file, name: path});
        left = others.length;
    }
    if (!uploads.length) throw new Error("There is no model among these: expected .dae, .zae, .kmz, .zip or a folder.");
    if (uploads.some(({file}) => file.size === 0)) throw new Error("One of these files is empty.");
    return {wanted: uploads, left};
}

/// Files may be dropped anywhere on the page.
function acceptDrops(panel, take) {
    let depth = 0;
    const listeners = {
        dragenter: () => { depth += 1; panel.classList.add("is-target"); },
        dragleave: () => { depth -= 1; if (depth <= 0) panel.classList.remove("is-target"); },
        drop: async (event) => {
            depth = 0;
            panel.classList.remove("is-target");
            const items = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
            const files = [...event.dataTransfer.files];
            if (!items.length && !files.length) return;
            const entries = items.some((item) => item.isDirectory)
                ? (await Promise.all(items.map((item) => walk(item, "")))).flat()
                : files.map((file) => ({path: file.name, file}));
            take(entries);
        },
    };
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener);
    return () => { for (const [name, listener] of Object.entries(listeners)) window.removeEventListener(name, listener); };
}

async function walk(entry, folder) {
    const path = folder + entry.name;
    if (entry.isFile) return [{path, file: await new Promise((done, failed) => entry.file(done, failed))}];
    const reader = entry.createReader();
    const found = [];
    // It hands out a hundred at a time.
    for (;;) {
        const some = await new Promise((done, failed) => reader.readEntries(done, failed));
        if (!some.length) return found;
        for (const child of some) found.push(...await walk(child, `${path}/`));
    }
}
