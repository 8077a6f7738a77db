// Elements. What comes from files is text: it becomes text nodes and attributes, and never markup.

const svg = "http://www.w3.org/2000/svg";

// Each attribute that this page sets; none of them is code.
const plain = new Set([
    "alt", "autocomplete", "autofocus", "class", "colspan", "disabled", "download", "for", "height", "hidden", "id", "lang", "loading",
    "max", "maxlength", "min", "multiple", "name", "open", "placeholder", "readonly", "rel", "role", "scope", "selected",
    "spellcheck", "step", "tabindex", "title", "type", "value", "webkitdirectory", "width",
]);

/// An element with attributes, listeners (`on: {click: …}`) and children: elements, texts, lists, or nothing.
export function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (name === "on") {
            for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
        } else if (name === "href" || name === "src") {
            element.setAttribute(name, ownAddress(value));
        } else if (plain.has(name) || name.startsWith("aria-") || name.startsWith("data-")) {
            element.setAttribute(name, value === true ? "" : String(value));
        } else {
            throw new TypeError(`no attribute of this page: ${name}`);
        }
    }
    element.append(...flat(children));
    return element;
}

/// Addresses below the page's own, and pictures that it holds itself; nothing else, least of all `javascript:`.
function ownAddress(value) {
    const address = new URL(value, document.baseURI);
    const isOwn = address.origin === location.origin && (address.protocol === "http:" || address.protocol === "https:");
    if (!isOwn && address.protocol !== "blob:") throw new TypeError("an address of another site");
    return String(value);
}

function flat(children) {
    return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

export function replace(element, ...children) {
    element.replaceChildren(...flat(children));
    return element;
}

const icons = {
    add: "M12 5v14M5 12h14",
    back: "M15 5l-7 7 7 7",
    box: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
    camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 16.5a3.5 3.5 0 100-7 3.5 3.5 0 000 7z",
    cancel: "M6 6l12 12M18 6L6 18",
    check: "M5 12.5l4.5 4.5L19 7.5",
    down: "M12 4v11M7 10.5l5 5 5-5M5 20h14",
    fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
    grid: "M4 4h16v16H4zM4 12h16M12 4v16",
    link: "M10 14a4 4 0 006 .4l3-3a4 4 0 00-5.700-5.700l-1 1M14 10a4 4 0 00-6-.4l-3 3a4 4 0 005.700 5.700l1-1",
    pause: "M8 5v14M16 5v14",
    play: "M7 4.500v15l12-7.500z",
    retry: "M20 11a8 8 0 10-2.300 6M20 5v6h-6",
    search: "M10.500 17a6.500 6.500 0 100-13 6.500 6.500 0 000 13zM15.500 15.500L20 20",
    trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
    turn: "M4 12a8 3.500 0 1016 0 8 3.500 0 10-16 0M14 17l-3-1.600 2.500-2.400",
    warn: "M12 4l9 16H3zM12 10v5M12 17.500v.5",
};

export function icon(name) {
    const element = document.createElementNS(svg, "svg");
    for (const [key, value] of [["viewBox", "0 0 24 24"], ["class", "icon"], ["aria-hidden", "true"]]) {
        element.setAttribute(key, value);
    }
    const path = document.createElementNS(svg, "path");
    path.setAttribute("d", icons[name]);
    element.append(path);
    return element;
}

export function button(label, {name = null, kind = "", ...attributes} = {}, action) {
    return h("button", {type: "button", class: `button ${kind}`, ...attributes, on: {click: action}}, name && icon(name), label);
}

/// Says something to whoever does not see the page.
export function announce(text) {
    const place = document.getElementById("status");
    // The same words again are words all the same.
    place.textContent = "";
    setTimeout(() => { place.textContent = text; }, 50);
}

/// Puts a heading where the view begins, for the eye and for the keyboard.
export function focusView(heading) {
    heading.setAttribute("tabindex", "-1");
    heading.focus({preventScroll: true});
    window.scrollTo(0, 0);
}

/// A dialog that is gone once it is closed; its focus goes back to where it came from.
export function openDialog(title, ...children) {
    const close = button("", {name: "cancel", kind: "quiet only-icon", "aria-label": "Close"}, () => dialog.close());
    const heading = h("h2", {id: "dialog-title"}, title);
    const dialog = h("dialog", {"aria-labelledby": "dialog-title"}, h("header", {}, heading, close), ...children);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/// Asks before something is done that cannot be undone.
export function confirmed(title, text, action) {
    return new Promise((done) => {
        const dialog = openDialog(title, h("p", {}, text), h("footer", {},
            button("Cancel", {autofocus: true}, () => dialog.close()),
            button(action, {kind: "danger"}, () => { dialog.returnValue = "yes"; dialog.close("yes"); })));
        dialog.addEventListener("close", () => done(dialog.returnValue === "yes"));
    });
}
