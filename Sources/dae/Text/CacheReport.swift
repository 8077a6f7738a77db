import Daedalus

/// What a command on the cache tells.
enum CacheReport {
    case listing(DownloadCache.Contents, folder: String)
    case verification(DownloadCache.Verification)
    case removal(DownloadCache.Removal)

    var text: String {
        switch self {
        case .listing(let contents, let folder): Self.text(of: contents, folder)
        case .verification(let result): Self.text(of: result)
        case .removal(let removal): Self.text(of: removal)
        }
    }

    private static func text(of contents: DownloadCache.Contents, _ folder: String) -> String {
        var table = TextTable(columns: [.right("Bytes"), .left("Last used"), .left("SHA-256"), .left("Address")])
        for blob in contents.blobs {
            let addresses = Self.addresses(of: blob, in: contents)
            table.add([
                Figures.count(Int(blob.size)), UTCTime.text(blob.lastUse), String(blob.sha256.hex.prefix(16)),
                addresses.joined(separator: " ").withoutControls,
            ])
        }
        var lines = table.isEmpty ? [] : table.lines(.plain)
        for partial in contents.partials {
            let whole = partial.expected.map { " of \(Figures.bytes($0))" } ?? ""
            lines.append("partial: \(Figures.bytes(partial.size))\(whole) \((partial.url ?? "").withoutControls)")
        }
        let count = Figures.count(contents.blobs.count, "file")
        lines.append("\(count), \(Figures.bytes(contents.size)) in \(folder.withoutControls)")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Once each, also where it was asked for with different headers.
    private static func addresses(of blob: DownloadCache.Blob, in contents: DownloadCache.Contents) -> [String] {
        Set(contents.addresses[blob.sha256] ?? []).sorted()
    }

    private static func text(of result: DownloadCache.Verification) -> String {
        var lines = result.damaged.map { damage in
            let found = damage.found.map { "its bytes have \($0.hex)" } ?? "it cannot be read"
            let addresses = damage.addresses.isEmpty ? "" : " (\(damage.addresses.joined(separator: " ")))"
            return "removed: \(damage.path.withoutControls): \(found)\(addresses.withoutControls)"
        }
        if result.references > 0 {
            lines.append(
                "removed: \(Figures.count(result.references, "address", "addresses")) that led to no whole file")
        }
        if result.staleFiles > 0 {
            lines.append("removed: \(Figures.count(result.staleFiles, "left-over")) of ended processes")
        }
        let read = "\(Figures.count(result.blobs, "file")), \(Figures.bytes(result.bytes)) read"
        lines.append(result.damaged.isEmpty ? "\(read): all sound" : "\(read): \(result.damaged.count) damaged")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(of removal: DownloadCache.Removal) -> String {
        let partials = removal.partials == 0 ? "" : " and \(Figures.count(removal.partials, "partial file"))"
        return "removed \(Figures.count(removal.blobs, "file"))\(partials), \(Figures.bytes(removal.bytes))\n"
    }
}

// MARK: - JSON

extension CacheReport {
    var json: JSONValue {
        switch self {
        case .listing(let contents, let folder): Self.json(of: contents, folder)
        case .verification(let result): Self.json(of: result)
        case .removal(let removal):
            .object([
                "schemaVersion": 1, "files": .integer(Int64(removal.blobs)),
                "partials": .integer(Int64(removal.partials)),
                "addresses": .integer(Int64(removal.references)), "bytes": .integer(removal.bytes),
            ])
        }
    }

    private static func json(of contents: DownloadCache.Contents, _ folder: String) -> JSONValue {
        .object([
            "schemaVersion": 1, "folder": .string(folder), "bytes": .integer(contents.size),
            "files": .array(
                contents.blobs.map { blob in
                    .object([
                        "sha256": .string(blob.sha256.hex), "path": .string(blob.path), "bytes": .integer(blob.size),
                        "lastUsed": .string(UTCTime.text(blob.lastUse)),
                        "addresses": .array(Self.addresses(of: blob, in: contents).map(JSONValue.string)),
                    ])
                }),
            "partials": .array(
                contents.partials.map { partial in
                    .object([
                        "url": JSONValue(partial.url), "bytes": .integer(partial.size),
                        "expected": JSONValue(partial.expected), "lastUsed": .string(UTCTime.text(partial.lastUse)),
                    ])
                }),
        ])
    }

    private static func json(of result: DownloadCache.Verification) -> JSONValue {
        .object([
            "schemaVersion": 1, "isSound": .bool(result.isSound), "files": .integer(Int64(result.blobs)),
            "bytes": .integer(result.bytes), "addressesRemoved": .integer(Int64(result.references)),
            "leftOversRemoved": .integer(Int64(result.staleFiles)),
            "damaged": .array(
                result.damaged.map { damage in
                    .object([
                        "path": .string(damage.path), "sha256": .string(damage.sha256.hex),
                        "found": JSONValue(damage.found?.hex),
                        "addresses": .array(damage.addresses.map(JSONValue.string)),
                    ])
                }),
        ])
    }
}
