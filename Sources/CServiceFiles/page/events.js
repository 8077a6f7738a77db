// The stream of what happens, which is begun again where it breaks off.

import {address} from "./api.js";

/// Milliseconds for which a hidden page goes on listening.
const hiddenTime = 30000;

/// Listens to the events of one asset, or of all.
///
/// `heard` gets (kind, asset, data); `isLive` says whether the stream stands; `lost` says that something may have been
/// missed, so that whoever shows the state asks anew.
export function listen(asset, {heard, isLive, lost}) {
    const path = asset ? `assets/${asset}/events` : "events";
    let [source, timer, wait, wasOpen, isOver] = [null, null, 1000, false, false];

    function begin() {
        source = new EventSource(address(path));
        source.addEventListener("open", () => {
            wait = 1000;
            isLive(true);
            // A stream that is begun anew tells nothing of what was before.
            if (wasOpen) lost();
            wasOpen = true;
        });
        source.addEventListener("error", () => {
            if (isOver) return;
            isLive(false);
            // The browser tries again by itself, unless it was refused: then whoever listens finds out why.
            if (source.readyState !== EventSource.CLOSED) return;
            clearTimeout(timer);
            timer = setTimeout(begin, wait);
            wait = Math.min(wait * 2, 30000);
            lost();
        });
        source.addEventListener("gap", () => lost());
        for (const kind of ["state", "details", "removed"]) {
            source.addEventListener(kind, (event) => {
                const said = JSON.parse(event.data);
                if (asset) heard(kind, asset, said);
                else heard(kind, said.asset, said.data);
                if (asset && kind === "removed") end();
            });
        }
    }

    // A browser has few connections to one place, and nobody looks at a page that is hidden.
    function look() {
        clearTimeout(timer);
        if (document.hidden) timer = setTimeout(() => source.close(), hiddenTime);
        else if (source.readyState === EventSource.CLOSED) begin();
    }

    // A stream may stay open over a network that is gone, and hear nothing more. Where the service is on this machine a new
    // one is open at once.
    function renew() {
        if (document.hidden) return;
        clearTimeout(timer);
        source.close();
        begin();
    }

    function end() {
        isOver = true;
        document.removeEventListener("visibilitychange", look);
        for (const change of ["offline", "online"]) removeEventListener(change, renew);
        clearTimeout(timer);
        source.close();
    }

    document.addEventListener("visibilitychange", look);
    for (const change of ["offline", "online"]) addEventListener(change, renew);
    begin();
    return end;
}
