// Uploads that are gone on with after a break, of the connection, of the service or of the page: the tus protocol 1.0.

import {address, api, mark, Problem} from "./api.js";

const piece = 16 << 20;
const atOnce = 2;
// Seconds between two tries, until the connection is back.
const waits = [1, 2, 4, 8, 15, 30];
const remembered = "daed upload ";

const waiting = [];
let running = 0;

/// One file on its way. `changed` is called whenever something of it is other than before.
export class Upload {
    constructor(file, name, changed) {
        Object.assign(this, {file, name, changed, sent: 0, state: "waiting", fault: null, asset: null});
        this.abort = new AbortController();
        waiting.push(this);
        next();
    }

    get share() { return this.file.size ? this.sent / this.file.size : 0; }
    get isOver() { return ["done", "failed", "cancelled"].includes(this.state); }

    cancel() {
        if (this.isOver) return;
        this.set("cancelled");
        this.abort.abort();
        if (this.id) this.request("DELETE", `uploads/${this.id}`).catch(() => {});
        this.forget();
    }

    set(state, fault = null) {
        Object.assign(this, {state, fault});
        this.changed(this);
    }

    async run() {
        for (let tries = 0; !this.isOver;) {
            const before = this.sent;
            try {
                this.set("sending");
                await this.send();
                this.forget();
                if (!this.isOver) this.set("done");
                return;
            } catch (error) {
                if (this.isOver) return;
                // What it was going on with is gone: it begins anew.
                if ((error.status === 404 || error.status === 410) && this.id) {
                    this.forget();
                    Object.assign(this, {id: null, sent: 0});
                } else if (!isPassing(error)) {
                    return this.set("failed", error.message);
                }
                tries = this.sent > before ? 0 : tries + 1;
                this.set("broken", error.message);
                await pause(error.retryAfter ?? waits[Math.min(tries, waits.length - 1)], this.abort.signal);
            }
        }
    }

    async send() {
        this.id ??= memory((kept) => kept.getItem(this.key));
        if (this.id) await this.resume();
        else await this.announce();
        while (this.sent < this.file.size && !this.isOver) await this.sendPiece();
        while (!this.asset && !this.isOver) {
            // The queue is full: the asset comes when there is room.
            const {asset} = await api.get(`uploads/${this.id}`).catch(tusOnly);
            this.asset = asset;
            if (!asset) await pause(2, this.abort.signal);
        }
    }

    async announce() {
        const name = btoa(String.fromCharCode(...new TextEncoder().encode(this.name)));
        const answer = await this.request("POST", "uploads", {
            "Upload-Length": String(this.file.size), "Upload-Metadata": `filename ${name}`,
        });
        this.id = answer.getResponseHeader("Location").split("/").pop();
        memory((kept) => kept.setItem(this.key, this.id));
    }

    async resume() {
        const answer = await this.request("HEAD", `uploads/${this.id}`);
        if (Number(answer.getResponseHeader("Upload-Length")) !== this.file.size) throw new Problem(410, "It is another file's.");
        this.sent = Number(answer.getResponseHeader("Upload-Offset"));
        this.take(answer);
    }

    async sendPiece() {
        const at = this.sent;
        const answer = await this.request("PATCH", `uploads/${this.id}`, {
            "Upload-Offset": String(at), "Content-Type": "application/offset+octet-stream",
        }, this.file.slice(at, at + piece), (count) => {
            this.sent = Math.max(this.sent, at + count);
            this.changed(this);
        });
        this.sent = Number(answer.getResponseHeader("Upload-Offset"));
        this.take(answer);
    }

    take(answer) {
        const path = answer.getResponseHeader("Asset-Location");
        if (path) this.asset = path.split("/").pop();
        this.changed(this);
    }

    /// `fetch` does not tell how much of a body was sent.
    request(method, path, headers = {}, body = null, progress = null) {
        return new Promise((done, failed) => {
            const request = new XMLHttpRequest();
            request.open(method, address(path));
            const all = {"Tus-Resumable": "1.0.0", ...mark, ...headers};
            for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value);
            if (progress) request.upload.addEventListener("progress", (event) => progress(event.loaded));
            request.addEventListener("load", () => {
                if (request.status < 300) return done(request);
                const {detail, quota} = said(request);
                const problem = new Problem(request.status, detail ?? `The service answered with ${request.status}.`);
                problem.quota = quota ?? null;
                problem.retryAfter = Number(request.getResponseHeader("Retry-After")) || null;
                return failed(problem);
            });
            request.addEventListener("error", () => failed(new Problem(0, "The connection broke off.")));
            request.addEventListener("abort", () => failed(new Problem(0, "It was stopped.")));
            if (method !== "DELETE") this.abort.signal.addEventListener("abort", () => request.abort(), {once: true});
            request.send(body);
        });
    }

    /// Under which it is found again when the same file is chosen after the page was closed.
    get key() { return `${remembered}${this.name} ${this.file.size} ${this.file.lastModified}`; }
    forget() { memory((kept) => kept.removeItem(this.key)); }
}

/// What outlives the page, where the browser keeps anything.
function memory(use) {
    try { return use(localStorage); } catch { return null; }
}

/// Seconds beyond which nobody waits for an upload.
const longestWait = 60;
const isPassing = (error) => error.status === undefined
    || ([0, 409, 423, 429, 502, 503, 504].includes(error.status) && !error.quota && !(error.retryAfter > longestWait));

function tusOnly(error) {
    if (isPassing(error)) return {asset: null};
    throw error;
}

function said(request) {
    try { return JSON.parse(request.responseText) ?? {}; } catch { return {}; }
}

function pause(seconds, signal) {
    return new Promise((done) => {
        const timer = setTimeout(done, seconds * 1000);
        for (const [target, name] of [[signal, "abort"], [window, "online"]]) {
            target.addEventListener(name, () => { clearTimeout(timer); done(); }, {once: true});
        }
    });
}

async function next() {
    while (running < atOnce && waiting.length) {
        const upload = waiting.shift();
        if (upload.isOver) continue;
        running += 1;
        upload.run().finally(() => { running -= 1; next(); });
    }
}
