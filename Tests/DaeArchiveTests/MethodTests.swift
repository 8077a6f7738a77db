import DaeCore
import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeArchive

/// Archives made by other programs, by `scripts/tools/fixtures/packed_archives.py`: other methods, encryption, gzip.
@Suite struct MethodTests {
    private let expected = Array(String(repeating: "The same line, again and again.\n", count: 64).utf8)

    private func open(_ name: String, password: String? = nil) throws(CodedFailure) -> Bundle {
        try Bundle.open(path: Repository.fixtures + "/archives/" + name, password: password)
    }

    @Test(arguments: [("deflate.zip", .deflated), ("bzip2.zip", .bzip2)] as [(String, CompressionMethod)])
    func whatLibzipInflatesIsRead(name: String, method: CompressionMethod) throws {
        let bundle = try open(name)
        #expect(bundle.entries.map(\.method) == [method])
        #expect(try bundle.contents("lines.txt", chunkSize: 100) == expected)
    }

    @Test(arguments: [("lzma.zip", .lzma), ("xz.zip", .xz), ("zstd.zip", .zstandard)] as [(String, CompressionMethod)])
    func whatItMayOrMayNotInflateIsReadOrRefusedByName(name: String, method: CompressionMethod) throws {
        guard ZipHandle.inflates(method) else {
            let bundle = try open(name)
            #expect(bundle.entries.map(\.method) == [method])
            let error = #expect(throws: CodedFailure.self) { try bundle.contents("lines.txt") }
            #expect(error?.code == .archiveUnsupportedMethod)
            #expect(error?.message.contains("compressed by \(method)") == true)
            return
        }
        #expect(try open(name).contents("lines.txt") == expected)
    }

    @Test(arguments: ["zipcrypto.zip", "aes128.zip", "aes256.zip"])
    func encryptedEntriesAreReadWithTheirPassword(name: String) throws {
        let bundle = try open(name, password: "open sesame")
        #expect(bundle.entries.map(\.isEncrypted) == [true])
        #expect(bundle.entries.map { $0.crc32 == nil } == [name.hasPrefix("aes")])
        #expect(try bundle.contents("lines.txt", chunkSize: 100) == expected)
        #expect(try open(name).entries.map(\.method) == [.deflated])
        let without = #expect(throws: CodedFailure.self) { try open(name).contents("lines.txt") }
        #expect(without?.code == .archiveEncrypted)
        #expect(without?.message.contains("its password is needed") == true)
        let wrong = #expect(throws: CodedFailure.self) { try open(name, password: "wrong").contents("lines.txt") }
        #expect(wrong?.code == .archiveEncrypted)
        #expect(wrong?.message.contains("another password") == true)
    }

    /// Three that nothing here reads, between two that are as they should be.
    private func mixed() throws(CodedFailure) -> Bundle {
        var zip = ZipBuilder()
        zip.add("first.txt", "first")
        zip.add("secret", "content") { $0.flags = 1 }
        zip.add("strong", "content") { $0.flags = 0x41 }
        zip.add("odd", "content") { $0.method = 97 }
        zip.addDeflated("last.txt", Array("last".utf8))
        return try Bundle.open(zip)
    }

    @Test func whatCannotBeReadIsRefusedAloneAndNotBeforeItIsRead() throws {
        let bundle = try mixed()
        #expect(bundle.entries.map(\.isEncrypted) == [false, true, true, false, false])
        #expect(try bundle.contents("first.txt") == Array("first".utf8))
        #expect(try bundle.contents("last.txt") == Array("last".utf8))
        let refusals = bundle.entries.map { bundle.refusal(of: $0) }
        #expect(
            refusals.map { $0?.code }
                == [nil, .archiveEncrypted, .archiveEncrypted, .archiveUnsupportedMethod, nil])
        #expect(refusals[1]?.message.contains("its password is needed") == true)
        #expect(refusals[2]?.message.contains("password") == false)
        #expect(refusals[3]?.message.contains("compressed by method 97") == true)
        for (entry, refusal) in zip(bundle.entries, refusals) where refusal != nil {
            let error = #expect(throws: CodedFailure.self) { try bundle.contents(entry.path) }
            #expect(error == refusal)
            #expect(error?.place.entry == entry.path)
            #expect(throws: CodedFailure.self) { try bundle.content(of: entry) }
        }
    }

    @Test func nothingIsUnpackedOfWhatCannotBeReadWhole() throws {
        let folder = try TemporaryFolder()
        let bundle = try mixed()
        let error = #expect(throws: UnpackError.self) {
            try Unpacker(folder: folder.path + "/out").unpack(bundle)
        }
        #expect(error?.code == .archiveEncrypted)
        #expect(error?.isAboutTarget == false)
        #expect(error?.place.entry == "secret")
        #expect(error?.message.hasSuffix("; 2 entries more cannot be read: strong, odd") == true)
        #expect(try Repository.files(below: folder.path).isEmpty)
        let result = try Unpacker(folder: folder.path + "/out").unpack(bundle) { $0.path.hasSuffix(".txt") }
        #expect(result.files == 2)
    }

    @Test func encryptedBytesThatWereChangedAreRefused() throws {
        for name in ["zipcrypto.zip", "aes128.zip", "aes256.zip"] {
            var bytes = try Repository.bytes(at: Repository.fixtures + "/archives/" + name)
            // Behind the header, the salt and the check of the password, in the packed bytes.
            bytes[80] ^= 1
            let bundle = try Bundle.open(MemoryByteSource(bytes), name: name, password: "open sesame")
            #expect(
                code { () throws(CodedFailure) in _ = try bundle.bytes(of: bundle.entries[0], limit: .max) } != nil,
                "\(name)")
        }
    }

    private func gzip(_ contents: [UInt8], size: UInt32? = nil, header: [UInt8]? = nil) -> [UInt8] {
        Deflate.gzip(contents, size: size, header: header)
    }

    @Test func aDocumentPackedByGzipIsRead() throws {
        let document = Array("<COLLADA>               </COLLADA>".utf8)
        let bundle = try Bundle.open(gzip(document), name: "model.dae")
        #expect(bundle.kind == .dae)
        #expect(bundle.entries.map(\.path) == ["model.dae"])
        #expect(bundle.entries.map(\.size) == [Int64(document.count)])
        #expect(bundle.findings.map(\.code) == [.archiveExtensionMismatch])
        #expect(try bundle.contents("model.dae") == document)
        #expect(bundle.size == Int64(gzip(document).count))

        let named = try Bundle.open(gzip(document), name: "model.dae.gz")
        #expect(named.entries.map(\.path) == ["model.dae"])
        #expect(named.findings == [])

        // With an extra field, a name, a comment and a sum of the header.
        let header: [UInt8] = [0x1F, 0x8B, 8, 0x1E, 0, 0, 0, 0, 0, 3, 2, 0, 9, 9, 0x61, 0, 0x62, 0x63, 0, 7, 7]
        #expect(try Bundle.open(gzip(document, header: header), name: "a").contents("a") == document)
    }

    @Test func gzipThatLiesOrHoldsSomethingElseIsRefused() {
        let document = Array("<COLLADA>               </COLLADA>".utf8)
        func refusal(_ bytes: [UInt8]) -> FindingCode? {
            code { () throws(CodedFailure) in _ = try Bundle.open(bytes, name: "model.dae") }
        }
        #expect(refusal(gzip(document, size: 33)) == .archiveSizeMismatch)
        #expect(refusal(gzip(document, size: 35)) == .archiveSizeMismatch)
        #expect(refusal(gzip(document, size: 4_000_000_000)) == .archiveRatioExceeded)
        #expect(refusal(gzip(Array("hello".utf8))) == .archiveInvalid)
    }

    @Test func gzipThatIsCutShortIsCalledThat() {
        let document = sampleBytes(30_000)
        let whole = gzip(Array("<COLLADA>".utf8) + document)
        for count in stride(from: 24, to: whole.count, by: 37) + [whole.count - 1, whole.count - 8] {
            let error = #expect(throws: CodedFailure.self) { try Bundle.open(Array(whole[..<count]), name: "a.dae") }
            #expect(error?.code == .archiveInvalid)
            #expect(
                error?.message.hasPrefix("a.dae is gzip data that is cut short") == true,
                "\(count): \(error?.message ?? "")")
        }
        for count in 2..<24 {
            #expect(
                code { () throws(CodedFailure) in _ = try Bundle.open(Array(whole[..<count]), name: "a.dae") }
                    == .archiveInvalid, "\(count)")
        }
    }

    @Test func aTarPackedByGzipIsNamed() {
        let tar = [UInt8](repeating: 0x61, count: 257) + Array("ustar\u{0}00".utf8) + [UInt8](repeating: 0, count: 1000)
        let error = #expect(throws: CodedFailure.self) { try Bundle.open(gzip(tar), name: "model.tar.gz") }
        #expect(error?.code == .archiveInvalid)
        #expect(error?.message.contains("model.tar.gz is a tar archive packed by gzip") == true)
        #expect(error?.message.contains("give its folder") == true)
    }

    // libzip alone does not look behind the end of what it inflates.
    #if canImport(CISAL)
        @Test func twoMembersOfGzipAreRefused() {
            let document = Array("<COLLADA>               </COLLADA>".utf8)
            #expect(
                code { () throws(CodedFailure) in
                    _ = try Bundle.open(gzip(document) + gzip(document), name: "model.dae")
                } == .archiveSizeMismatch)
        }

        @Test func compressedBytesThatAreLeftOverAreRefused() throws {
            for junk in [1, 7, 9, 200, 100_000] {
                var zip = ZipBuilder()
                zip.addDeflated("a", expected) { entry in
                    entry.payload += [UInt8](repeating: 0, count: junk)
                    entry.compressedSize = UInt32(entry.payload.count)
                }
                let bundle = try Bundle.open(zip)
                #expect(
                    code { () throws(CodedFailure) in _ = try bundle.bytes(of: bundle.entries[0], limit: .max) }
                        == .archiveSizeMismatch, "\(junk)")
            }
        }
    #endif
}
