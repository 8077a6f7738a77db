// Not a target of the package: scripts/gates/fuzz compiles it with libFuzzer's own main, and with the readers themselves.

/// What a form comes to, with the bytes of each part put together.
private struct Form: Equatable {
    var parts: [(disposition: [UInt8], bytes: [UInt8])] = []
    var isComplete = false
    var hasFault = false

    static func == (one: Form, other: Form) -> Bool {
        one.isComplete == other.isComplete && one.hasFault == other.hasFault
            && one.parts.elementsEqual(other.parts) { $0.disposition == $1.disposition && $0.bytes == $1.bytes }
    }

    init(_ bytes: [UInt8], pieces: Int) {
        guard var reader = MultipartReader(contentType: "multipart/form-data; boundary=a") else { return }
        do {
            var rest = bytes[...]
            while !rest.isEmpty {
                try reader.read(Array(rest.prefix(pieces))) { event in
                    switch event {
                    case .part(let disposition): parts.append((disposition, []))
                    case .bytes(let bytes):
                        guard !parts.isEmpty else { fatalError("bytes before a part") }
                        parts[parts.count - 1].bytes += bytes
                    }
                }
                rest = rest.dropFirst(pieces)
            }
        } catch { hasFault = true }
        isComplete = reader.isComplete
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let whole = Form(bytes, pieces: max(1, bytes.count))
    // How a body is cut is the network's business. What is behind a fault nobody reads.
    if !whole.hasFault {
        for pieces in [1, 7] where Form(bytes, pieces: pieces) != whole {
            fatalError("cut at \(pieces) it is another form")
        }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    _ = MultipartReader(contentType: text)
    for size in [0, 1, 1000, Int64.max] {
        guard case .part(let range) = ByteRange(text, of: size) else { continue }
        guard range.lowerBound >= 0, !range.isEmpty, range.upperBound <= size else {
            fatalError("a range beyond the file")
        }
    }
    _ = try? UploadMetadata(text).name
    _ = try? UploadChecksum(text).expected
    return 0
}
