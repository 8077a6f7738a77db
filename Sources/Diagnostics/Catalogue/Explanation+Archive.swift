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
