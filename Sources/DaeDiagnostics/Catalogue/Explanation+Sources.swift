// Data and no switch: it is touched only when somebody asks, and the compiler reads a list faster than a long function.

/// What the catalogue says of one code at length, in plain sentences.
public struct Explanation: Sendable {
    package let code: FindingCode
    /// What it means and what comes of it.
    public let text: String
    /// Something that has the fault.
    public let example: String
    /// How to mend it.
    public let fix: String

    init(_ code: FindingCode, _ text: String, example: String, fix: String) {
        self.code = code
        self.text = text
        self.example = example
        self.fix = fix
    }

    /// Every code's, family by family.
    static let all: [Explanation] =
        download + asset + service + archive + bundle + markup + schema + links + sources + primitives + polygons
        + vertices
        + animation + curves + skins + skinData + scenes + materials + images + robots + mechanics + performance
        + quirks

    private static let byCode = Dictionary(all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    static subscript(code: FindingCode) -> Explanation? { byCode[code] }
}

extension FindingCode {
    /// The explanation of this code, with an example and a way to mend it.
    public var explanation: Explanation {
        Explanation[self] ?? Explanation(self, title + ".", example: "", fix: "")
    }
}

extension Explanation {
    static let archive: [Explanation] = [
        .init(
            .archiveInvalid,
            "The archive has no readable directory, or an entry's bytes do not fit their checksum. Nothing of it can be trusted.",
            example: "A .zip of which only the first half was copied.",
            fix: "Download or pack the archive again."),
        .init(
            .archivePathTraversal, "Unpacked, the entry would land outside its folder. The archive is refused.",
            example: "../../.bashrc",
            fix: "Pack again with relative names that stay below the archive's top."),
        .init(
            .archiveSymlink, "A link could lead anywhere on the machine, so it is never followed.",
            example: "textures -> /etc",
            fix: "Pack the file that the link leads to instead of the link."),
        .init(
            .archiveDuplicateEntry, "Readers differ in which of the two they take. Here the first one counts.",
            example: "chair.dae twice in one archive.",
            fix: "Remove the entry that is not meant."),
        .init(
            .archiveCaseCollision,
            "On systems that do not tell such names apart, one file overwrites the other when unpacked.",
            example: "Oak.png and oak.png",
            fix: "Rename one of them, and what refers to it."),
        .init(
            .archiveOverlap,
            "Two entries claim the same bytes of the file. That is how small archives pretend to hold huge ones.",
            example: "A thousand entries that all begin at byte 0.",
            fix: "Do not use the archive; pack it again from its files."),
        .init(
            .archiveSizeMismatch,
            "The directory says one size and the bytes give another; reading stops at the first byte too many.",
            example: "Declared 100 bytes, inflated to 1,000,000.",
            fix: "Pack the archive again with a program that writes right sizes."),
        .init(
            .archiveRatioExceeded, "The entry is so much larger than its packed bytes that it looks like a bomb.",
            example: "1 MB that inflates to 5 GB of zeros.",
            fix: "If the content is known and meant, raise the budget for the ratio."),
        .init(
            .archiveTotalSizeExceeded, "All entries together would take more room than the budget allows.",
            example: "An archive of 40 GB of point clouds.",
            fix: "Raise the budget, or pack only the files that the scene uses."),
        .init(
            .archiveEntryCountExceeded, "The directory lists more entries than the budget allows.",
            example: "A million empty files.",
            fix: "Raise the budget, or pack only the files that the scene uses."),
        .init(
            .archiveDepthExceeded, "There are archives in archives in archives, deeper than the budget.",
            example: "a.zip in b.zip in c.zip in d.zip",
            fix: "Take the innermost archive out and use it by itself."),
        .init(
            .archiveEncrypted, "The entry needs a password and none, or a wrong one, was given.",
            example: "A store's archive that was sold with a password.",
            fix: "Give the password with --password, or unpack the archive with the program that made it."),
        .init(
            .archiveUnsupportedMethod, "The entry is compressed in a way that cannot be read here.",
            example: "Method 98 (PPMd).",
            fix: "Pack again with Deflate, or without compression."),
        .init(
            .archiveNameEncoding,
            "The name's bytes are no UTF-8 and were read as code page 437, or the name holds control characters. References to it may fail.",
            example: "B\\x81ro.png for Büro.png",
            fix: "Pack again with a program that writes names in UTF-8."),
        .init(
            .archiveJunkEntry, "Files that a system leaves in folders are no part of the model; they are passed over.",
            example: "__MACOSX/._chair.dae, Thumbs.db, .DS_Store",
            fix: "Leave them out when packing."),
        .init(
            .archiveExtraBytes,
            "Something stands in front of the archive or behind it, such as a program that unpacks itself or a comment cut short.",
            example: "A .zip behind 20 kB of an installer.",
            fix: "Pack the files again; if the bytes are meant, nothing needs to be done."),
        .init(
            .archiveExtensionMismatch,
            "The first bytes show another kind of file than the name. The bytes are believed.",
            example: "model.dae that is an archive.",
            fix: "Rename the file after what it is."),
    ]

    static let bundle: [Explanation] = [
        .init(
            .zaeManifestMissing,
            "The format asks for a manifest.xml that names the document. Without it the document is chosen by rule.",
            example: "lamp.zae with only lamp.dae in it.",
            fix: "Add manifest.xml with <dae_root>lamp.dae</dae_root>."),
        .init(
            .zaeManifestInvalid, "manifest.xml is no XML, or has no dae_root.",
            example: "<dae_root> without its end tag.",
            fix: "Write <dae_root>path/of/document.dae</dae_root> as the manifest's root element."),
        .init(
            .zaeRootNotFound, "The manifest names a document that the archive does not hold.",
            example: "<dae_root>Lamp.dae</dae_root> where the entry is lamp.dae.",
            fix: "Correct the path in manifest.xml, also in upper and lower case."),
        .init(
            .kmzDocMissing, "A .kmz should have a doc.kml that says which model it shows and where it stands.",
            example: "house.kmz with only models/house.dae.",
            fix: "Add doc.kml with a Model and its Link."),
        .init(
            .kmzModelLinkBroken, "doc.kml links to a model that the archive does not hold.",
            example: "<href>models/untitled.dae</href> without such an entry.",
            fix: "Correct the href in doc.kml, or add the model."),
        .init(
            .bundleNoScene, "No entry is a document that can be read, so there is nothing to show.",
            example: "An archive of textures only.",
            fix: "Add the .dae; if it is in another format, export it as COLLADA."),
        .init(
            .bundleMultipleScenes,
            "Several documents, or others in archives within the bundle, could be the scene. One was taken by a fixed rule, which the report names; it may not be the one you mean.",
            example: "high.dae and low.dae side by side.",
            fix: "Name the document, as in model.zip!/high.dae, or add a manifest."),
        .init(
            .bundleNestedArchive,
            "The scene lies in an archive within the archive: a manifest names it there, or there is no document but in that one.",
            example: "download.zip that holds model.zip and a licence.",
            fix: "Nothing needs to be done; to be faster, use the inner archive by itself."),
        .init(
            .bundleUnusedFile,
            "Neither the scene nor a manifest refers to the file, so whoever downloads the bundle gets it for nothing.",
            example: "An image of an earlier version beside the one in use.",
            fix: "Leave it out, or refer to it."),
        .init(
            .bundleDuplicateContent,
            "The files have the same size and checksum: the bundle is larger than it need be.",
            example: "wood.png in two folders.",
            fix: "Keep one of them and refer to it."),
    ]
}

extension Explanation {
    static let links: [Explanation] = [
        .init(
            .idDuplicate, "An id must be unique in its document. References lead to the first element that has it.",
            example: "Two <geometry id=\"Cube\">.",
            fix: "Rename one of them, and the references that mean it."),
        .init(
            .sidDuplicate,
            "Among the children of one element a sid stands once; a path of sids leads to the first that has it.",
            example: "A node with two <rotate sid=\"rotate\">.",
            fix: "Rename one of them, and the targets that mean it."),
        .init(
            .uriInvalid,
            "An address holds no spaces, back-slashes or control characters, and behind % two hexadecimal digits. Readers mend such addresses in different ways.",
            example: "<init_from>wood%zz.png</init_from>",
            fix: "Write %20 for a space, / for a back-slash and %25 for a percent sign."),
        .init(
            .uriUnsupportedScheme,
            "Only files, the web, and the packages and models of robots are known; nothing else is looked for.",
            example: "url=\"ftp://example.org/parts.dae#Wheel\"",
            fix: "Put the file into the bundle and write its path."),
        .init(
            .refUnresolved, "No element has the id that is referred to, so the part is left out.",
            example: "<instance_geometry url=\"#Chair\"/> where the geometry's id is chair.",
            fix: "Correct the reference, also in upper and lower case, or add the element."),
        .init(
            .refWrongType, "The id exists, but it belongs to an element that cannot stand here.",
            example: "instance_geometry that leads to a controller.",
            fix: "Use the instance element of that kind, or refer to another id."),
        .init(
            .refByName, "No element has this id, but one has this name or sid, and it was taken.",
            example: "url=\"#Cube\" where Cube is a name and the id is Cube-mesh.",
            fix: "Refer to the id."),
        .init(
            .refMissingHash, "A reference within the document begins with #; without it, it names a file.",
            example: "source=\"Cube-positions\"",
            fix: "Write source=\"#Cube-positions\"."),
        .init(
            .refExternalUnresolved, "The other document is missing, cannot be read, or has no such id.",
            example: "url=\"parts.dae#Wheel\" without parts.dae in the bundle.",
            fix: "Add the document to the bundle, or correct the path."),
        .init(
            .refExternalBlocked,
            "The other document lies outside the bundle, where it is not looked for, or on the web, where it was not asked for or not got.",
            example: "url=\"https://example.org/parts.dae#Wheel\"",
            fix: "Put the document into the bundle and refer to it there, or let it be fetched: --fetch."),
        .init(
            .sidrefUnresolved,
            "The path begins with an id and goes on by sids; at one of its steps there is nothing.",
            example: "<bind semantic=\"LIGHT\" target=\"Sun/translation\"/> without an element of the id Sun.",
            fix: "Correct the path."),
        .init(
            .sidrefAmbiguous,
            "At the same depth below the start several elements have the sid. The first one is taken; other readers may take another.",
            example: "target=\"Rig/rotate.ANGLE\" where two children of Rig have a rotate of that sid.",
            fix: "Give the elements different sids, or begin the path at the nearer id."),
        .init(
            .refCycle, "Following the instances would never end; the one that closes the circle is left out.",
            example: "Node a has an instance of b, and b one of a.",
            fix: "Remove one of the instances."),
        .init(
            .refUnused,
            "The element is read, and nothing is shown of it.",
            example: "A geometry that no node instances.",
            fix: "Instance it, or leave it out."),
    ]
}

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
        .init(
            .customRule,
            "A program that uses the library held a rule of its own against the source; the first argument names it.",
            example: "A shop that takes no texture of more than 4096 pixels.",
            fix: "As the finding's message says; the rule is the program's, not the library's."),
    ]
}
