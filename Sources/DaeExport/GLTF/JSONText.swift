import DaeDiagnostics
import DaeMesh

/// The text of one JSON object whose long lists may be out of memory.
struct JSONText {
    private enum Part {
        case bytes([UInt8])
        case list(JSONList)
    }
    private var parts: [Part] = []
    private var object = JSONObject()

    /// Puts members into the object.
    mutating func put(_ fill: (inout JSONObject) -> Void) { fill(&object) }

    /// An empty list is left out.
    ///
    /// - Parameter outer: Names of objects, each within the one before, that hold the list and nothing else.
    mutating func put(_ key: StaticString, _ list: JSONList, within outer: [StaticString] = []) {
        guard list.count > 0 else { return }
        let keys = outer + [key]
        var text = object.take(beginning: keys[0])
        for key in keys.dropFirst() {
            var inner = JSONObject()
            text += inner.take(beginning: key)
        }
        parts.append(.bytes(text))
        parts.append(.list(list))
        if !outer.isEmpty { parts.append(.bytes([UInt8](repeating: UInt8(ascii: "}"), count: outer.count))) }
    }

    /// Bytes of the whole text.
    var size: Int {
        parts.reduce(object.text.count) { size, part in
            switch part {
            case .bytes(let bytes): size + bytes.count
            case .list(let list): size + list.size
            }
        }
    }

    func write(to file: ExportFile) throws(SceneExportError) {
        for part in parts {
            switch part {
            case .bytes(let bytes): try file.write(bytes)
            case .list(let list): try list.write(to: file)
            }
        }
        try file.write(object.text)
    }
}

// A scene of a hundred thousand nodes has as many objects: they are written as text while they are made, never held as
// values.

/// The text of one JSON object.
struct JSONObject {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

    /// The whole text.
    var text: [UInt8] { bytes + [UInt8(ascii: "}")] }

    var isEmpty: Bool { bytes.count == 1 }

    init() {}

    /// One that another began.
    init(beginning bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    init(_ fill: (inout JSONObject) -> Void) {
        fill(&self)
    }

    /// - Parameter key: A name of ours, which needs no escape.
    mutating func put(key: String, _ value: Int) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: "\"\(key)\":\(value)".utf8)
    }

    mutating func put(_ key: StaticString, _ value: Int) { put(key, text: String(value)) }
    mutating func put(_ key: StaticString, _ value: Bool) { put(key, text: value ? "true" : "false") }
    mutating func put(_ key: StaticString, _ value: Double) { put(key, text: value.jsonText) }

    mutating func put(_ key: StaticString, _ value: String) {
        begin(key)
        bytes += JSONValue.string(value).text(.compact)
    }

    mutating func put(_ key: StaticString, _ values: some Sequence<Double>) {
        begin(key)
        write(values) { $0.jsonText }
    }

    mutating func put(_ key: StaticString, _ values: some Sequence<Int>) {
        begin(key)
        write(values) { String($0) }
    }

    mutating func put(_ key: StaticString, _ values: [String]) {
        begin(key)
        bytes += JSONValue(values).text(.compact)
    }

    /// An object within this one.
    mutating func put(_ key: StaticString, _ value: JSONObject) {
        begin(key)
        bytes += value.text
    }

    mutating func put(_ key: StaticString, _ values: JSONList) {
        begin(key)
        values.append(to: &bytes)
    }

    /// Begins a member whose value is for the caller to write, and gives the text so far, which is forgotten.
    mutating func take(beginning key: StaticString) -> [UInt8] {
        begin(key)
        defer { bytes = [] }
        return bytes
    }

    private mutating func put(_ key: StaticString, text: String) {
        begin(key)
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func begin(_ key: StaticString) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func write<Value>(_ values: some Sequence<Value>, _ text: (Value) -> String) {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for value in values {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            bytes.append(contentsOf: text(value).utf8)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}

extension Double {
    /// The shortest text that reads back the same; a number that is none is 0, for JSON has no word for it.
    fileprivate var jsonText: String {
        guard isFinite else { return "0" }
        if let whole = Int64(exactly: self), whole.magnitude < 1 << 53 { return String(whole) }
        return description
    }
}

/// The text of a JSON list of objects.
struct JSONList {
    /// Behind what was put out of memory.
    private var bytes: [UInt8] = []
    /// Where the rest is, in its order; empty without a spool.
    private var spooled: [Range<Int>] = []
    private let spool: TextSpool?
    private(set) var count = 0

    /// - Parameter spool: For a list that may become long; `nil` for one that stays in memory.
    init(_ spool: TextSpool? = nil) { self.spool = spool }

    /// Bytes of the whole text.
    var size: Int { spooled.reduce(bytes.count + 2) { $0 + $1.count } }

    /// - Returns: The object's place in the list.
    @discardableResult mutating func add(_ object: JSONObject) -> Int {
        if count > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += object.bytes
        bytes.append(UInt8(ascii: "}"))
        count += 1
        if let spool, bytes.count >= TextSpool.pieceSize {
            spooled.append(spool.append(bytes))
            bytes.removeAll(keepingCapacity: true)
        }
        return count - 1
    }

    /// Of a list that is in memory.
    func append(to text: inout [UInt8]) {
        text.append(UInt8(ascii: "["))
        text += bytes
        text.append(UInt8(ascii: "]"))
    }

    func write(to file: ExportFile) throws(SceneExportError) {
        try file.write([UInt8(ascii: "[")])
        for piece in spooled { try spool?.copy(piece, to: file) }
        try file.write(bytes)
        try file.write([UInt8(ascii: "]")])
    }
}

// A scene of a hundred thousand nodes has tens of megabytes of text, which is not to stay in memory until all of it is
// known.

/// Text on its way into a file, in a file without a name beside it.
///
/// A class, for all lists of an export share it.
final class TextSpool {
    /// Bytes that are put out of memory at a time.
    static let pieceSize = 1 << 15

    private let path: String
    private let budget: ConversionBudget
    private var file: ExportFile?
    private var count = 0
    /// The first error, after which nothing is kept.
    private(set) var failure: SceneExportError?

    /// - Parameter path: Of the file to be.
    init(beside path: String, _ budget: ConversionBudget) {
        self.path = path
        self.budget = budget
    }

    /// - Returns: Where it is.
    func append(_ bytes: [UInt8]) -> Range<Int> {
        let range = count..<count + bytes.count
        guard failure == nil else { return range }
        do throws(SceneExportError) {
            try budget.write(bytes.count)
            try opened().write(bytes)
            count = range.upperBound
        } catch { failure = error }
        return range
    }

    private func opened() throws(SceneExportError) -> ExportFile {
        if let file { return file }
        let file = try ExportFile(unnamedBeside: path)
        self.file = file
        return file
    }

    func copy(_ range: Range<Int>, to target: ExportFile) throws(SceneExportError) {
        if let failure { throw failure }
        guard let file else { return }
        try target.write(try file.bytes(range))
    }
}
