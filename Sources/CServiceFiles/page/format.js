// Numbers, times and states in words.

const number = new Intl.NumberFormat("en");

export const count = (value, one, many = `${one}s`) => `${number.format(value)} ${value === 1 ? one : many}`;
export const digits = (value) => number.format(value);

export function bytes(value) {
    if (value === null || value === undefined) return "";
    const units = ["bytes", "kB", "MB", "GB", "TB"];
    let [left, unit] = [value, 0];
    while (left >= 1000 && unit < units.length - 1) [left, unit] = [left / 1000, unit + 1];
    return `${unit === 0 ? number.format(left) : left.toPrecision(3)} ${units[unit]}`;
}

export function length(meters) {
    if (!Number.isFinite(meters)) return "?";
    const size = Math.abs(meters);
    const [factor, unit] = size === 0 ? [1, "m"] : size < 0.01 ? [1000, "mm"] : size < 1 ? [100, "cm"] : size < 1000 ? [1, "m"] : [0.001, "km"];
    return `${Number((meters * factor).toPrecision(3))} ${unit}`;
}

export function time(milliseconds) {
    const seconds = (Date.now() - milliseconds) / 1000;
    const words = new Intl.RelativeTimeFormat("en", {numeric: "auto"});
    if (seconds < 45) return "just now";
    if (seconds < 3600) return words.format(-Math.round(seconds / 60), "minute");
    if (seconds < 86400) return words.format(-Math.round(seconds / 3600), "hour");
    if (seconds < 7 * 86400) return words.format(-Math.round(seconds / 86400), "day");
    return new Date(milliseconds).toLocaleDateString("en", {dateStyle: "medium"});
}

export const moment = (milliseconds) => new Date(milliseconds).toLocaleString("en", {dateStyle: "medium", timeStyle: "short"});

const states = {downloading: "Downloading", unzipping: "Unpacking", parsing: "Reading", ready: "Ready", failed: "Failed"};
export const stateNames = Object.keys(states);
export const stateWord = (name) => states[name] ?? name;

/// What is said beside the name of an asset: what is done of what is to be done, or what came of it.
export function stateLine(state) {
    switch (state.state) {
    case "downloading":
        return state.expected ? `${bytes(state.received)} of ${bytes(state.expected)}` : bytes(state.received);
    case "unzipping":
        return state.entriesTotal ? `${digits(state.entriesDone)} of ${count(state.entriesTotal, "file")}` : "";
    case "parsing":
        return state.bytesTotal ? `${bytes(state.bytesRead)} of ${bytes(state.bytesTotal)}` : "";
    case "ready":
        return [count(state.summary.triangles, "triangle"), findingsLine(state.summary.findings)].filter(Boolean).join(" · ");
    case "failed":
        return state.message;
    default:
        return "";
    }
}

function findingsLine(findings) {
    if (typeof findings === "number") return findings ? count(findings, "finding") : "nothing found wrong";
    const {errors = 0, warnings = 0} = findings ?? {};
    if (errors) return count(errors, "error");
    return warnings ? count(warnings, "warning") : "nothing found wrong";
}

// As the command line says them.
const rules = {
    exact: "as written",
    percentDecoded: "percent-decoded",
    unicodeForm: "in another Unicode form",
    backslashes: "back-slashes as separators",
    machinePath: "without its drive or file:",
    caseFolded: "in other letters’ case",
    package: "in its ROS package",
    model: "in its Gazebo model",
    fuel: "in the cache of Gazebo Fuel",
    ancestorSuffix: "by the end of its path",
    siblingFolder: "in a folder of textures beside the document",
    resourceBundle: "in a bundle of resources",
    textureAlias: "by the bundle’s own list of names",
    baseName: "by its file name alone",
    otherExtension: "with the ending of another image format",
    imageName: "by the image’s id or name",
};

/// How a texture was found, in words where there are some.
export function ruleWord(rule) {
    if (!rule) return "";
    const below = rule.replace(/^bundleRoot(?=[A-Z])/, "").replace(/^[A-Z]/, (letter) => letter.toLowerCase());
    if (rule === "bundleRoot") return "from the bundle’s top";
    return (below === rule ? "" : "from the bundle’s top, ") + (rules[below] ?? below);
}
