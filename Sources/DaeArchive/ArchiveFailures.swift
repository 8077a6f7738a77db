package import DaeCore
package import DaeDiagnostics

// Why a bundle could not be opened, or an entry of it not be read.

// MARK: - The source as a whole

extension CodedFailure {
    /// What a failure of the bytes themselves means, with the code of a download's failure where they lie on a server.
    package static func unreadable(_ error: ByteSourceError, entry: String? = nil) -> CodedFailure {
        switch error.cause {
        case .missing: CodedFailure(.sourceNotFound, entry: entry, error.description)
        case .overLimit: CodedFailure(.archiveTotalSizeExceeded, entry: entry, error.description)
        case .failed: CodedFailure(.ioError, entry: entry, error.description)
        case .remote(let failure): CodedFailure(FindingCode(failure), entry: entry, error.description)
        }
    }

    static func empty(_ name: String) -> CodedFailure {
        CodedFailure(
            .archiveInvalid,
            "\(name.printable(limit: 200)) is empty (0 bytes); an archive or a COLLADA document was expected")
    }

    static func foreign(_ name: String, _ format: ForeignFormat) -> CodedFailure {
        let hint = format.hint.map { ": \($0)" } ?? ""
        return CodedFailure(
            .archiveInvalid,
            "\(name.printable(limit: 200)) is \(format.description), where an archive or a COLLADA document was expected\(hint)"
        )
    }

    static func cutShort(_ name: String) -> CodedFailure {
        CodedFailure(
            .archiveInvalid,
            "\(name.printable(limit: 200)) is gzip data that is cut short; copy or download the whole file again")
    }

    static func unrecognised(_ name: String) -> CodedFailure {
        CodedFailure(
            .archiveInvalid,
            "\(name.printable(limit: 200)) is neither an archive (its first bytes are not PK) nor an XML document")
    }

    /// - Parameter name: `nil` where only the end of the archive was looked at.
    static func part(_ name: String?) -> CodedFailure {
        CodedFailure(
            .archiveInvalid,
            """
            \(name?.printable(limit: 200) ?? "this") is one part of an archive in several; join them in their order, or unpack them with \
            the program that made them
            """)
    }

    static func invalid(_ reason: String, entry: String? = nil) -> CodedFailure {
        CodedFailure(.archiveInvalid, entry: entry, "the archive cannot be read: \(reason)")
    }

    static var ambiguous: CodedFailure { .invalid("its directory can be read in two ways") }

    static func damagedDirectory(entry index: Int) -> CodedFailure {
        .invalid("its directory is damaged at entry \(index)")
    }

    static func largeDirectory(limit: Int64) -> CodedFailure {
        CodedFailure(
            .archiveTotalSizeExceeded, "the names and fields of the entries take more than the budget of \(limit) bytes"
        )
    }

    static func missing(entry: String, in bundle: String) -> CodedFailure {
        CodedFailure(
            .sourceNotFound, entry: entry,
            "\(bundle.printable(limit: 200)) has no entry \(entry.printable(limit: 200).quoted())")
    }

    static func tooManyEntries(_ limit: Int) -> CodedFailure {
        CodedFailure(.archiveEntryCountExceeded, "there are more entries than the budget of \(limit)")
    }

    static func tooManyBytes(_ limit: Int64, entry: String) -> CodedFailure {
        CodedFailure(
            .archiveTotalSizeExceeded, entry: entry,
            "with this entry the archive inflates to more than the budget of \(limit) bytes")
    }

    static func tooManyArchives(_ limit: Int, entry: String) -> CodedFailure {
        CodedFailure(
            .archiveEntryCountExceeded, entry: entry,
            "there are more archives within the bundle than the budget of \(limit) that are open at a time")
    }

    static func tooDeep(entry: String) -> CodedFailure {
        CodedFailure(.archiveDepthExceeded, entry: entry, "archives are nested deeper than the budget allows")
    }
}

// MARK: - One entry

extension CodedFailure {
    static func leadsOut(_ name: String, _ how: String) -> CodedFailure {
        CodedFailure(
            .archivePathTraversal, entry: name,
            "the entry's name \(how); a relative path below the bundle was expected")
    }

    static func longName(_ name: String, limit: Int) -> CodedFailure {
        CodedFailure(.archiveInvalid, entry: name, "the name is longer than the budget of \(limit) bytes")
    }

    static func special(_ name: String, _ kind: String) -> CodedFailure {
        CodedFailure(.archiveSymlink, entry: name, "the entry is \(kind), where a file or folder was expected")
    }

    static func outside(_ name: String) -> CodedFailure {
        .invalid("the entry's bytes would lie outside those of the archive's entries", entry: name)
    }

    static func overlap(_ name: String, _ other: String) -> CodedFailure {
        CodedFailure(.archiveOverlap, entry: name, "the entry shares bytes with \(other.printable(limit: 200))")
    }

    static func contradiction(_ name: String, _ what: String) -> CodedFailure {
        .invalid("the entry's own header says another \(what) than the directory", entry: name)
    }

    static func encrypted(_ name: String) -> CodedFailure {
        CodedFailure(.archiveEncrypted, entry: name, "the entry is encrypted; its password is needed")
    }

    static func wrongPassword(_ name: String) -> CodedFailure {
        CodedFailure(.archiveEncrypted, entry: name, "the entry is encrypted with another password than was given")
    }

    static func unknownEncryption(_ name: String) -> CodedFailure {
        CodedFailure(.archiveEncrypted, entry: name, "the entry is encrypted in a way that cannot be read here")
    }

    /// The same of several entries, of which it names the first few.
    func beside(_ others: [String]) -> CodedFailure {
        guard !others.isEmpty else { return self }
        let names =
            others.prefix(5).map { $0.printable(limit: 200) }.joined(separator: ", ") + (others.count > 5 ? ", …" : "")
        let count = others.count == 1 ? "one entry more" : "\(others.count) entries more"
        return CodedFailure(code, entry: place.entry, "\(message); \(count) cannot be read: \(names)")
    }

    static func unknownMethod(_ name: String, _ method: CompressionMethod) -> CodedFailure {
        CodedFailure(
            .archiveUnsupportedMethod, entry: name,
            "the entry is compressed by \(method), which cannot be inflated here; deflate or stored was expected")
    }

    static func ratio(_ name: String, size: UInt64, compressed: UInt64, limit: Int64) -> CodedFailure {
        CodedFailure(
            .archiveRatioExceeded, entry: name,
            "\(compressed) bytes claim to inflate to \(size), beyond the budget of \(limit) to 1")
    }

    static func wrongChecksum(_ name: String) -> CodedFailure {
        .invalid("the entry's bytes do not have the CRC-32 that it declares", entry: name)
    }

    static func damaged(_ name: String) -> CodedFailure { .invalid("the compressed bytes are damaged", entry: name) }

    static func cutOff(_ name: String) -> CodedFailure { .invalid("it ends in the middle of the entry", entry: name) }

    static func leftOver(_ name: String, bytes: Int64) -> CodedFailure {
        CodedFailure(
            .archiveSizeMismatch, entry: name,
            "\(bytes) of the entry's compressed bytes are left over after its end")
    }

    static func longer(_ name: String, than size: Int64) -> CodedFailure {
        CodedFailure(.archiveSizeMismatch, entry: name, "the entry goes on after the \(size) bytes that it declares")
    }

    static func shorter(_ name: String, declared: Int64, real: Int64) -> CodedFailure {
        CodedFailure(
            .archiveSizeMismatch, entry: name, "the entry ends after \(real) of the \(declared) bytes it declares")
    }

    static func otherSize(_ name: String) -> CodedFailure {
        CodedFailure(.archiveSizeMismatch, entry: name, "the entry does not have the size that it declares")
    }

    static func aboveLimit(_ name: String, size: Int64, limit: Int) -> CodedFailure {
        CodedFailure(
            .archiveTotalSizeExceeded, entry: name, "the entry has \(size) bytes, more than the \(limit) asked for")
    }
}

extension FindingCode {
    /// The same code that a download ends with.
    fileprivate init(_ failure: RemoteFailure) {
        self =
            switch failure {
            case .changed: .downloadValidatorChanged
            case .refused: .downloadHTTPStatus
            case .wrongBytes: .downloadTruncated
            case .tooSlow: .downloadTimeout
            case .hostNotFound: .downloadHostNotFound
            case .noConnection: .downloadConnectionFailed
            case .noEncryption: .downloadTLSFailed
            case .forbidden: .downloadBlockedAddress
            case .redirectedTooOften: .downloadTooManyRedirects
            case .cancelled: .assetCancelled
            }
    }
}
