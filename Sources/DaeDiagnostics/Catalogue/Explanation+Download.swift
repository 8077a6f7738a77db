extension Explanation {
    static let download: [Explanation] = [
        .init(
            .ioError, "The system refused to read or write: a disk is full, a permission is missing, a device failed.",
            example: "A file that another user owns and nobody else may read.",
            fix: "Look at the reason in the message; free space or give permission, then try again."),
        .init(
            .downloadHTTPStatus, "The server answered, but not with the file. Nothing of the answer is used.",
            example: "404 Not Found for an address that was moved.",
            fix: "Open the address in a browser; correct it, or give the token or header that the server wants."),
        .init(
            .downloadTruncated,
            "The connection ended before all announced bytes had come, and trying again did not bring the rest.",
            example: "Content-Length: 9000, but 4096 bytes arrived.",
            fix: "Fetch again: what has arrived is kept and the rest is asked for."),
        .init(
            .downloadChecksumMismatch,
            "The file is not the one that was expected: it was changed on the server or damaged on the way. It is not used.",
            example: "--sha256 names one digest and the bytes have another.",
            fix: "Ask whoever published the digest for the present one; do not use the file until they agree."),
        .init(
            .downloadValidatorChanged,
            "While the file came in pieces, the server began to serve another version. The fetch began again from the start.",
            example: "The ETag was \"a1\" for the first half and is \"b2\" now.",
            fix: "Nothing needs to be done; the newer file was fetched as a whole."),
        .init(
            .downloadNotInCache, "Without the network only the cache can answer, and it has nothing of this address.",
            example: "--offline for an address that was never fetched.",
            fix: "Fetch it once with the network, or name a local file."),
        .init(
            .downloadContentTypeMismatch,
            "A web page came where an archive or document was asked for, most often a page to log in.",
            example: "Content-Type: text/html for model.zip.",
            fix: "Use the address of the file itself, and give the token or header that the site wants."),
        .init(
            .downloadBlockedAddress,
            "The host lies in a private, loopback or link-local network, which strangers' documents must not reach.",
            example: "http://169.254.169.254/ in a document from the web.",
            fix: "If the host is yours and you mean it, allow private addresses by the option for it."),
        .init(
            .downloadTooLarge, "The server sends, or announces, more bytes than the budget for a download.",
            example: "An archive of 12 GB where 4 GiB are allowed.",
            fix: "Raise the budget if the source is trusted, or fetch a smaller variant."),
        .init(
            .downloadTimeout, "No byte arrived for too long, or the whole took longer than allowed.",
            example: "A server that accepts the connection and never answers.",
            fix: "Try again later; what has arrived is kept."),
        .init(
            .downloadTooManyRedirects, "The server sent on from address to address, perhaps in a circle.",
            example: "a redirects to b and b back to a.",
            fix: "Use the last address that answers with the file."),
        .init(
            .downloadURLInvalid, "The text is no address that can be fetched: wrong scheme, no host, or a bad port.",
            example: "https:///model.zip",
            fix: "Write http:// or https://, the host, then the path; escape spaces as %20."),
        .init(
            .downloadHostNotFound, "The name server knows no such host.",
            example: "https://exmaple.invalid/model.zip",
            fix: "Look for a mistyped name, and whether this machine has a network."),
        .init(
            .downloadConnectionFailed, "The host exists, but no connection came about or it broke off again and again.",
            example: "Nothing listens on port 8443.",
            fix: "Look at the port, firewalls and proxies, then try again."),
        .init(
            .downloadTLSFailed,
            "The server could not prove who it is, or no encryption was agreed on. Nothing was sent or taken.",
            example: "A certificate that ended last month.",
            fix: "Have the server's certificate renewed, or add its authority to the system's."),
        .init(
            .sourceNotFound, "Neither a file nor a folder nor an entry of this name exists.",
            example: "chair.zip!/chiar.dae",
            fix: "Look at the spelling, also of upper and lower case; `dae ls` lists an archive's entries."),
    ]

    static let asset: [Explanation] = [
        .init(
            .assetCancelled, "Somebody asked to stop before the work was done.",
            example: "An interrupt from the keyboard.",
            fix: "Begin again; what was downloaded is kept."),
        .init(
            .assetUnknown, "The pipeline has no asset of this name: it was removed or never added.",
            example: "A retry of an asset that was removed.",
            fix: "Add the source again and use the name that comes back."),
        .init(
            .assetActionRefused, "An asset allows other actions in each of its states, and this one not now.",
            example: "A retry of an asset that is still downloading.",
            fix: "Ask which actions are available now."),
    ]

    static let service: [Explanation] = [
        .init(
            .workerOutOfMemory,
            "The service works on each asset in a process of its own, with a limit to its memory. This one was not enough.",
            example: "A document with 300 million numbers where a worker may have 2 GiB.",
            fix: "Give workers more memory (`daed serve --worker-memory`), and retry."),
        .init(
            .workerProcessorTimeExceeded,
            "The service works on each asset in a process of its own, with a limit to the processor time that it takes.",
            example: "A scene of millions of nodes where a worker may have 10 seconds.",
            fix: "Allow more (`daed serve --worker-cpu`), and retry."),
        .init(
            .workerTimeExceeded, "From its start to its end the work on an asset may take so long and no longer.",
            example: "A server that sends a byte a minute.",
            fix: "Allow more (`daed serve --worker-time`), or retry when its source is faster."),
        .init(
            .workerCrashed, "The process ended by a signal that it caused itself. No other asset is touched by that.",
            example: "A fault in a library that reads archives.",
            fix: "Retry; where it crashes again, report it together with the file."),
        .init(
            .workerKilled, "Somebody, or the system for want of memory, ended the process while it worked.",
            example: "A machine whose memory is used up by other programs.",
            fix: "Look into the system's log, then retry."),
        .init(
            .workerLost, "The process could not be started, or ended by itself before it said how the work came out.",
            example: "A system that allows no more processes.",
            fix: "Look into the service's log, then retry."),
        .init(
            .storageFull, "What is kept of originals may take so many bytes, and some bytes of the disk stay free.",
            example: "An upload of 2 GB where 1 GB is left of the limit.",
            fix: "Remove assets, or allow more (`daed serve --disk-limit`, `--free-disk`)."),
    ]
}
