// Signing in: a token is exchanged for a cookie that scripts cannot read. The token itself is kept nowhere.

import {announce, button, focusView, h, replace} from "./dom.js";
import {api} from "./api.js";

/// What who looks at the page may do.
export const access = {name: null, scope: "read", isShared: false};
export const mayWrite = () => access.scope === "write" || access.scope === "admin";

export function showAccount(leave) {
    const place = document.getElementById("account");
    if (access.isShared) return replace(place, h("span", {class: "quiet"}, "Shared with you"));
    if (!access.name) return replace(place);
    return replace(place, h("span", {class: "quiet"}, access.name), button("Sign out", {kind: "quiet"}, async () => {
        try {
            await api.signOut();
        } catch (error) {
            // The cookie still lets somebody in.
            if (error.status !== 401) return announce(`Not signed out: ${error.message}`);
        }
        return leave();
    }));
}

/// The form that stands in place of all else until somebody has signed in.
export function showSignIn(main, entered) {
    const field = h("input", {
        id: "token", name: "token", type: "password", autocomplete: "current-password", spellcheck: "false", maxlength: "200",
    });
    const fault = h("p", {class: "fault", role: "alert"});
    const submit = h("button", {type: "submit", class: "button primary"}, "Sign in");
    const heading = h("h1", {}, "Sign in");
    async function enter(event) {
        event.preventDefault();
        const token = field.value.trim();
        if (!token) {
            fault.textContent = "Paste a token first.";
            field.focus();
            return;
        }
        submit.disabled = true;
        fault.textContent = "";
        try {
            // A header takes nothing beyond that, and no token has it.
            if (!/^[\x21-\x7e]+$/.test(token)) throw new Error("That is no token: one begins with daed_.");
            Object.assign(access, await api.signIn(token));
            field.value = "";
            announce("Signed in.");
            entered();
        } catch (error) {
            fault.textContent = error.message;
            submit.disabled = false;
            field.select();
        }
    }
    replace(main, h("section", {class: "sign-in panel"}, heading,
        h("p", {class: "quiet"}, "This service asks for a token. Whoever runs it makes one with ",
            h("code", {}, "daed token add NAME"), "."),
        h("form", {on: {submit: enter}}, h("label", {for: "token"}, "Token"), field, fault, submit),
        h("p", {class: "quiet small"}, "It is exchanged for a cookie that ends after twelve hours, and is not kept.")));
    document.title = "Sign in – Daedalus";
    focusView(heading);
    field.focus({preventScroll: true});
}
