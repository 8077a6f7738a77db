// The page: which view stands, who looks at it, and whether the service answers.

import {access, showAccount, showSignIn} from "./session.js";
import {api, isShared, pageAddress, signedOut} from "./api.js";
import {announce, focusView, h, icon, replace} from "./dom.js";
import {showAsset} from "./asset.js";
import {showList} from "./list.js";

const main = document.getElementById("main");
let leave = () => {};

/// What both views are given.
const page = {
    main,
    go(parameters) {
        history.pushState(null, "", pageAddress(parameters));
        show();
    },
    /// A link within the page, which is followed without loading it again; a new tab opens it whole.
    link(parameters, attributes, ...children) {
        const follow = (event) => {
            if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            page.go(parameters);
        };
        return h("a", {href: pageAddress(parameters), ...attributes, on: {click: follow}}, ...children);
    },
    isLive(isLive) {
        const place = document.getElementById("connection");
        if (place.hidden === isLive) return;
        place.hidden = isLive;
        announce(isLive ? "Connected again." : "No connection: trying again.");
        replace(place, isLive ? [] : [icon("warn"), "No connection: trying again"]);
    },
};

async function show() {
    leave();
    leave = () => {};
    const parameters = new URLSearchParams(location.search);
    const asset = parameters.get("asset");
    document.title = "Daedalus";
    if (!asset && isShared) return fail("This link shows nothing", "It names no model.");
    // It becomes a part of addresses, and is nothing that leads elsewhere there.
    if (asset && !/^[0-9a-f-]{1,64}$/.test(asset)) return fail("Nothing here", "There is no such model.");
    leave = asset ? showAsset(page, asset) : showList(page, parameters);
}

function signIn() {
    leave();
    leave = () => {};
    Object.assign(access, {name: null, scope: "read"});
    showAccount();
    page.isLive(true);
    showSignIn(main, () => {
        showAccount(signIn);
        show();
    });
}

function fail(title, text) {
    const heading = h("h1", {}, title);
    replace(main, h("section", {class: "empty"}, icon("warn"), heading, h("p", {}, text)));
    focusView(heading);
}

async function begin() {
    if (isShared) {
        Object.assign(access, {scope: "read", isShared: true});
        showAccount();
        return show();
    }
    try {
        Object.assign(access, await api.session());
    } catch (error) {
        if (error.status === 401) return signIn();
        page.isLive(error.status !== 0);
        setTimeout(begin, 3000);
        if (!main.querySelector(".empty")) fail(error.status === 0 ? "The service does not answer" : "The service refuses", error.message);
        return null;
    }
    page.isLive(true);
    showAccount(signIn);
    return show();
}

document.querySelector(".brand").addEventListener("click", (event) => {
    if (isShared || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (access.name !== null || access.scope === "admin") page.go();
});
document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
});
// A file that misses its place would be opened instead of this page.
for (const name of ["dragover", "drop"]) window.addEventListener(name, (event) => event.preventDefault());
window.addEventListener("popstate", show);
signedOut.addEventListener("change", () => { if (access.name !== null || main.querySelector(".list, .asset")) signIn(); });
begin();
