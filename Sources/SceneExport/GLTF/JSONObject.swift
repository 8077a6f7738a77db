// A scene of a hundred thousand nodes has as many objects: they are written as text while they are made, never held as
// values.

import Diagnostics

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
