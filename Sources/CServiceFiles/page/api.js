// Requests to the service. All addresses are below the page's own, so that it works behind a proxy, too.

const base = new URL(".", document.baseURI);

// A page that was opened by a signed link hands on what the link proves; it shows one asset and nothing else.
const query = new URLSearchParams(location.search);
const proof = ["expires", "key", "signature"].map((name) => [name, query.get(name)]);
export const isShared = proof.every(([, value]) => value !== null);

export class Problem extends Error {
    /// `status` is 0 where nobody answered.
    constructor(status, detail, code = null) {
        super(detail);
        Object.assign(this, {status, code});
    }
}

/// Appends parameters to an address; of a list each value is one.
function add(parameters, url) {
    for (const [name, values] of Object.entries(parameters)) {
        for (const value of [values].flat()) {
            if (value !== null && value !== undefined && value !== "") url.searchParams.append(name, value);
        }
    }
    // A space as a form writes it is a plus sign to the service.
    url.search = url.search.replaceAll("+", "%20");
}

/// The address of something of the API, such as `assets/ID/inspect`.
export function address(path, parameters = {}) {
    const url = new URL(`v1/${path}`, base);
    add(parameters, url);
    if (isShared) for (const [name, value] of proof) url.searchParams.set(name, value);
    return url.href;
}

/// The same of what this page itself reads or shows: it may ask no other host, and the service may send it to one.
export const ownAddress = (path, parameters = {}) => address(path, {...parameters, redirect: "off"});

export const viewerAddress = new URL("viewer/three.js", base).href;

/// The address of a view of this page.
export function pageAddress(parameters = {}) {
    const url = new URL(base);
    add(parameters, url);
    return url.href;
}

/// The address of a file of a bundle; `null` for one that no address can name, since `..` would lead elsewhere.
export function fileAddress(id, path) {
    const parts = path.split("/");
    if (parts.some((part) => part === "." || part === "..")) return null;
    return ownAddress(`assets/${id}/files/${parts.map(encodeURIComponent).join("/")}`);
}

// What the service asks for beside the cookie, so that it knows that it was this page.
export const mark = {"X-Daed-Page": "1"};

export const signedOut = new EventTarget();

async function send(method, url, {headers = {}, body = null, signal = null} = {}) {
    let response;
    try {
        response = await fetch(url, {method, headers: {...mark, ...headers}, body, signal, credentials: "same-origin"});
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Problem(0, "The service cannot be reached.");
    }
    if (response.ok) return response;
    throw await problem(response);
}

async function problem(response) {
    const said = await response.json().catch(() => ({}));
    if (response.status === 401 && !isShared) signedOut.dispatchEvent(new Event("change"));
    return new Problem(response.status, said.detail ?? response.statusText, said.code ?? null);
}

const json = (value) => ({headers: {"Content-Type": "application/json"}, body: JSON.stringify(value)});

export const api = {
    get: async (path, parameters, signal) => (await send("GET", address(path, parameters), {signal})).json(),
    bytes: async (url, signal) => send("GET", url, {signal}),
    session: () => api.get("session"),
    signIn: async (token) => (await send("POST", address("session"), {headers: {Authorization: `Bearer ${token}`}})).json(),
    signOut: () => send("DELETE", address("session")),
    addLink: async (url) => (await send("POST", address("assets"), json({url}))).json(),
    act: (id, action) => send("POST", address(`assets/${id}/actions`), json({version: 1, action})),
    change: async (id, change) => (await send("PATCH", address(`assets/${id}`), json(change))).json(),
    remove: (id) => send("DELETE", address(`assets/${id}`)),
    links: async (id, expiresIn) => (await send("POST", address(`assets/${id}/links`), json({expiresIn}))).json(),
};

let catalogue = null;

/// What each code of a finding means; asked for once.
export function findingCatalogue() {
    catalogue ??= api.get("findings").then(
        ({findings}) => new Map(findings.map((entry) => [entry.code, entry])),
        () => { catalogue = null; return new Map(); });
    return catalogue;
}
