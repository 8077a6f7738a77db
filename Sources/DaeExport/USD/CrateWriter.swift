import DaeDiagnostics
import DaeImages
import DaeMesh
import DaeScene

// Values leave for a file as they come; what says where they belong, a few dozen bytes an attribute, is packed at the
// end.

/// Writes a layer of scene description as one crate file (`.usdc`), version 0.8.0: prims in the order in which they are
/// begun, each with its attributes.
///
/// - Source: OpenUSD, pxr/usd/sdf/crateFile.cpp.
struct CrateWriter {
    /// Into the tokens.
    typealias Token = UInt32
    /// A prim, or a property of one, that may be spoken of before it is written.
    struct Path: Hashable {
        fileprivate let index: Int32
    }
    enum Specifier: UInt32 {
        case def = 0
        /// Describes what others inherit; by itself it is not there.
        case `class` = 2
    }
    private enum SpecKind: UInt32 {
        case attribute = 1
        case prim = 6
        case pseudoRoot = 7
        case relationship = 8
    }
    private struct PathNode {
        /// That of a property is negative.
        let element: Int32
        var firstChild: Int32 = -1
        var lastChild: Int32 = -1
        var nextSibling: Int32 = -1
    }
    private struct Field: Hashable {
        let name: Token
        let value: CrateValue
    }
    private struct OpenPrim {
        let path: Path
        var fields: [UInt32] = []
        var properties: [Token] = []
        var children: [Token] = []
    }

    private let values: ExportFile
    private let budget: ConversionBudget
    private let limit: Int
    /// Bytes of ``values``.
    private var valueBytes = 0
    private var checksum = Checksum()

    // The first is never a property's name: its number has no sign.
    private var tokens: [UInt8] = Array(";-)".utf8) + [0]
    private var tokenIndices: [String: Token] = [:]
    private var tokenCount: Token = 1
    /// The last one of each of 256 kinds of texts: the same few are asked for again and again.
    private var recent = [(text: String, token: Token)](repeating: (";-)", 0), count: 256)
    private var strings: [Token] = []
    private var stringIndices: [Token: UInt32] = [:]
    private var paths: [PathNode] = [PathNode(element: 0)]
    private var fields: [Field] = []
    private var fieldIndices: [Field: UInt32] = [:]
    private var fieldSets: [UInt32] = []
    private var knownFieldSets: [[UInt32]: UInt32] = [:]
    private var specs: (paths: [UInt32], fieldSets: [UInt32], kinds: [UInt32]) = ([], [], [])
    /// The prims that are not ended yet, the outermost first.
    private var open: [OpenPrim]
    /// Lists of numbers that are in the file, and may be spoken of again.
    private var timeLists: [[Double]: CrateValue] = [:]

    private static let headSize = 88
    /// What a list of sections takes.
    private static let tableSize = 8 + 6 * 32
    /// The file's size is a multiple of it.
    static let alignment = 64

    /// - Parameters:
    ///   - path: Of the file to be, beside which values are kept.
    ///   - limit: Bytes at most.
    init(beside path: String, limit: Int, _ budget: ConversionBudget) throws(SceneExportError) {
        values = try ExportFile(unnamedBeside: path)
        self.budget = budget
        self.limit = limit
        open = [OpenPrim(path: Path(index: 0))]
    }

    /// The layer itself.
    static let root = Path(index: 0)

    // MARK: - Names

    mutating func token(_ text: String) -> Token {
        let utf8 = text.utf8
        let slot = (utf8.count &* 37 &+ Int(utf8.first ?? 0) &+ Int(utf8.last ?? 0) &* 7) & 255
        if recent[slot].text == text { return recent[slot].token }
        let token = tokenIndices[text] ?? add(token: text)
        recent[slot] = (text, token)
        return token
    }

    private mutating func add(token text: String) -> Token {
        tokens += text.utf8.lazy.map { $0 == 0 ? UInt8(ascii: "?") : $0 }
        tokens.append(0)
        tokenIndices[text] = tokenCount
        tokenCount += 1
        return tokenCount - 1
    }

    mutating func value(token text: String) -> CrateValue { CrateValue(.token, inlined: token(text)) }
    mutating func value(asset path: String) -> CrateValue { CrateValue(.asset, inlined: token(path)) }
    mutating func value(string text: String) -> CrateValue { CrateValue(.string, inlined: string(text)) }

    private mutating func string(_ text: String) -> UInt32 {
        let token = token(text)
        if let known = stringIndices[token] { return known }
        strings.append(token)
        stringIndices[token] = UInt32(strings.count - 1)
        return UInt32(strings.count - 1)
    }

    // MARK: - Values

    /// A value of several numbers, or of a double.
    mutating func value<Number: BitwiseCopyable>(
        _ kind: CrateValue.Kind, _ numbers: [Number]
    ) throws(SceneExportError) -> CrateValue {
        let start = try align()
        try write(numbers)
        return CrateValue(kind, at: start)
    }

    mutating func value(_ number: Double) throws(SceneExportError) -> CrateValue {
        if Double(Float(number)) == number { return CrateValue(.double, inlined: Float(number).bitPattern) }
        return try value(.double, [number])
    }

    mutating func value(_ matrix: Matrix4) throws(SceneExportError) -> CrateValue {
        try value(.matrix4d, matrix.columnDoubles)
    }

    /// A list of values, whose numbers come one after the other.
    mutating func list<Number: BitwiseCopyable>(
        _ kind: CrateValue.Kind, _ numbers: [Number]
    ) throws(SceneExportError) -> CrateValue {
        let count = numbers.count * MemoryLayout<Number>.size / kind.size
        return try list(kind, count: count) { writer throws(SceneExportError) in try writer.write(numbers) }
    }

    /// The same, of which few are in memory at a time.
    ///
    /// - Parameter put: Writes all of it.
    mutating func list(
        _ kind: CrateValue.Kind, count: Int, _ put: (inout CrateWriter) throws(SceneExportError) -> Void
    ) throws(SceneExportError) -> CrateValue {
        guard count > 0 else { return CrateValue(kind, at: 0, isList: true) }
        let start = try align()
        try write([UInt64(count)])
        try put(&self)
        return CrateValue(kind, at: start, isList: true)
    }

    /// A list of whole numbers, 32 bits each.
    mutating func list<Number: FixedWidthInteger & BitwiseCopyable>(
        integers: [Number]
    ) throws(SceneExportError) -> CrateValue {
        guard integers.count >= CrateIntegers.leastCount else {
            return try list(.int, integers.map { Int32(truncatingIfNeeded: $0) })
        }
        let start = try align()
        let packed = CrateIntegers.packed(integers)
        try write([UInt64(integers.count), UInt64(packed.count)])
        try write(packed)
        return CrateValue(.int, at: start, isList: true, isPacked: true)
    }

    mutating func list(tokens: [String]) throws(SceneExportError) -> CrateValue {
        let numbers = tokens.map { token($0) }
        return try list(.token, numbers)
    }

    /// - Parameter entries: In the order of their keys.
    mutating func dictionary(
        _ entries: [(key: String, value: CrateValue)]
    ) throws(SceneExportError) -> CrateValue {
        var bytes: [UInt8] = []
        bytes.append(little: UInt64(entries.count))
        for entry in entries {
            bytes.append(little: string(entry.key))
            // The value is right behind.
            bytes.append(little: Int64(8))
            bytes.append(little: entry.value.bits)
        }
        return try value(.dictionary, bytes)
    }

    /// Values at times, in ascending order.
    mutating func samples(
        _ times: [Double], _ values: [CrateValue]
    ) throws(SceneExportError) -> CrateValue {
        let list: CrateValue
        if let known = timeLists[times] {
            list = known
        } else {
            let start = try align()
            try write([UInt64(times.count)])
            try write(times)
            list = CrateValue(.doubleVector, at: start)
            timeLists[times] = list
        }
        let start = try align()
        try write([8, list.bits, 8, UInt64(values.count)])
        try write(values.map(\.bits))
        return CrateValue(.timeSamples, at: start)
    }

    mutating func write<Number: BitwiseCopyable>(_ numbers: [Number]) throws(SceneExportError) {
        let size = numbers.count * MemoryLayout<Number>.stride
        guard size <= limit - valueBytes else { throw SceneExportError.tooLarge(.usdz, limit) }
        try budget.write(size)
        try values.write(numbers)
        checksum.add(numbers)
        valueBytes += size
    }

    /// - Returns: Where in the file the next byte will be.
    private mutating func align() throws(SceneExportError) -> Int {
        let padding = (8 - valueBytes % 8) % 8
        if padding > 0 { try write([UInt8](repeating: 0, count: padding)) }
        return Self.headSize + valueBytes
    }

    // MARK: - Prims

    /// A prim that is to be below another one, under a name that none there has.
    mutating func declare(_ name: String, in parent: Path) -> Path { add(Int32(bitPattern: token(name)), to: parent) }

    private mutating func add(_ element: Int32, to parent: Path) -> Path {
        let index = Int32(truncatingIfNeeded: paths.count)
        paths.append(PathNode(element: element))
        let last = paths[Int(parent.index)].lastChild
        if last < 0 {
            paths[Int(parent.index)].firstChild = index
        } else {
            paths[Int(last)].nextSibling = index
        }
        paths[Int(parent.index)].lastChild = index
        return Path(index: index)
    }

    /// Begins a prim that was declared below the one that is open.
    mutating func begin(_ path: Path, _ type: String, _ specifier: Specifier = .def) {
        open[open.count - 1].children.append(Token(bitPattern: paths[Int(path.index)].element))
        open.append(OpenPrim(path: path))
        put("specifier", CrateValue(.specifier, inlined: specifier.rawValue))
        put("typeName", value(token: type))
    }

    mutating func begin(_ name: String, _ type: String, _ specifier: Specifier = .def) -> Path {
        let path = declare(name, in: open[open.count - 1].path)
        begin(path, type, specifier)
        return path
    }

    /// Ends the prim that was begun last.
    mutating func end() throws(SceneExportError) {
        guard open.count > 1, let prim = open.popLast() else { return }
        try close(prim, .prim)
    }

    private mutating func close(_ prim: OpenPrim, _ kind: SpecKind) throws(SceneExportError) {
        var prim = prim
        if !prim.properties.isEmpty { prim.fields.append(try field("properties", tokens: prim.properties)) }
        if !prim.children.isEmpty { prim.fields.append(try field("primChildren", tokens: prim.children)) }
        try addSpec(prim.path, prim.fields, kind)
    }

    private mutating func field(_ name: String, tokens: [Token]) throws(SceneExportError) -> UInt32 {
        let start = try align()
        try write([UInt64(tokens.count)])
        try write(tokens)
        return field(name, CrateValue(.tokenVector, at: start))
    }

    private mutating func field(_ name: String, _ value: CrateValue) -> UInt32 {
        let field = Field(name: token(name), value: value)
        if let known = fieldIndices[field] { return known }
        fields.append(field)
        fieldIndices[field] = UInt32(fields.count - 1)
        return UInt32(fields.count - 1)
    }

    private mutating func addSpec(_ path: Path, _ fields: [UInt32], _ kind: SpecKind) throws(SceneExportError) {
        specs.paths.append(UInt32(bitPattern: path.index))
        specs.kinds.append(kind.rawValue)
        if let known = knownFieldSets[fields] {
            specs.fieldSets.append(known)
            return
        }
        let start = UInt32(truncatingIfNeeded: fieldSets.count)
        specs.fieldSets.append(start)
        fieldSets += fields
        fieldSets.append(.max)
        // What has a value of its own in the file is not met again.
        if fields.allSatisfy({ self.fields[Int($0)].value.isShort }) { knownFieldSets[fields] = start }
        if specs.paths.count % 4096 == 0 { try budget.check(output: valueBytes + tokens.count) }
    }

    /// Says something of the open prim, or of the layer before any is begun.
    mutating func put(_ name: String, _ value: CrateValue) {
        let field = field(name, value)
        open[open.count - 1].fields.append(field)
    }

    /// Names the schemas that the open prim follows beside its type.
    mutating func apply(_ schemas: [String]) throws(SceneExportError) {
        var bytes: [UInt8] = [0x20]
        bytes.append(little: UInt64(schemas.count))
        for schema in schemas { bytes.append(little: token(schema)) }
        put("apiSchemas", try value(.tokenListOp, bytes))
    }

    mutating func inherit(_ path: Path) throws(SceneExportError) { put("inheritPaths", try list(op: [path])) }

    private mutating func list(op paths: [Path]) throws(SceneExportError) -> CrateValue {
        var bytes: [UInt8] = [0x03]
        bytes.append(little: UInt64(paths.count))
        for path in paths { bytes.append(little: UInt32(bitPattern: path.index)) }
        return try value(.pathListOp, bytes)
    }

    // MARK: - Properties

    /// What an attribute says beside its value.
    enum Trait {
        case uniform
        case interpolation(String)
        case elementSize(Int)
        /// Values at times.
        case samples(CrateValue)
        /// What it gets its value from.
        case connection(Path)
    }

    /// Gives the open prim an attribute.
    ///
    /// - Parameter value: `nil` for one that is only declared, or has its value from elsewhere.
    @discardableResult
    mutating func attribute(
        _ name: String, _ type: String, _ value: CrateValue?, _ traits: Trait...
    ) throws(SceneExportError) -> Path {
        var fields = [field("typeName", self.value(token: type))]
        for trait in traits {
            switch trait {
            case .uniform: fields.append(field("variability", .uniform))
            case .interpolation(let name): fields.append(field("interpolation", self.value(token: name)))
            case .elementSize(let size): fields.append(field("elementSize", CrateValue(Int32(clamping: size))))
            case .samples(let samples): fields.append(field("timeSamples", samples))
            case .connection(let path): fields.append(field("connectionPaths", try list(op: [path])))
            }
        }
        if let value { fields.append(field("default", value)) }
        return try property(name, fields, .attribute)
    }

    mutating func relationship(_ name: String, _ targets: [Path]) throws(SceneExportError) {
        let fields = [field("variability", .uniform), field("targetPaths", try list(op: targets))]
        try property(name, fields, .relationship)
    }

    @discardableResult
    private mutating func property(
        _ name: String, _ fields: [UInt32], _ kind: SpecKind
    ) throws(SceneExportError) -> Path {
        let token = token(name)
        open[open.count - 1].properties.append(token)
        let path = add(-Int32(bitPattern: token), to: open[open.count - 1].path)
        try addSpec(path, fields, kind)
        return path
    }

    // MARK: - The file

    /// The whole file, once all prims are ended.
    struct File {
        fileprivate let head: [UInt8]
        fileprivate let values: ExportFile
        fileprivate let tables: [UInt8]
        let size: Int
        let checksum: Checksum

        func write(to file: ExportFile) throws(SceneExportError) {
            try file.write(head)
            try file.write(contentsOf: values)
            try file.write(tables)
        }
    }

    /// - Throws: ``SceneExportError`` for more than the budget allows.
    mutating func finish() throws(SceneExportError) -> File {
        while open.count > 1 { try end() }
        try close(open[0], .pseudoRoot)
        _ = try align()
        let start = Self.headSize + valueBytes
        var tables: [UInt8] = []
        var sections: [(name: String, range: Range<Int>)] = []
        func section(_ name: String, _ put: (inout [UInt8]) -> Void) {
            let first = tables.count
            put(&tables)
            sections.append((name, start + first..<start + tables.count))
        }
        section("TOKENS") { bytes in
            bytes.append(little: UInt64(tokenCount))
            bytes.append(little: UInt64(tokens.count))
            bytes.append(packed: LZ4Block.framed(tokens))
        }
        section("STRINGS") { bytes in
            bytes.append(little: UInt64(strings.count))
            for token in strings { bytes.append(little: token) }
        }
        section("FIELDS") { bytes in
            bytes.append(little: UInt64(fields.count))
            bytes.append(packed: CrateIntegers.packed(fields.map(\.name)))
            var words: [UInt8] = []
            words.reserveCapacity(fields.count * 8)
            for field in fields { words.append(little: field.value.bits) }
            bytes.append(packed: LZ4Block.framed(words))
        }
        section("FIELDSETS") { bytes in
            bytes.append(little: UInt64(fieldSets.count))
            bytes.append(packed: CrateIntegers.packed(fieldSets))
        }
        section("PATHS") { bytes in
            let (order, elements, jumps) = pathTree
            bytes.append(little: UInt64(order.count))
            bytes.append(little: UInt64(order.count))
            for list in [order, elements, jumps] { bytes.append(packed: CrateIntegers.packed(list)) }
        }
        section("SPECS") { bytes in
            bytes.append(little: UInt64(specs.paths.count))
            for list in [specs.paths, specs.fieldSets, specs.kinds] { bytes.append(packed: CrateIntegers.packed(list)) }
        }
        let size = (start + tables.count + Self.tableSize + Self.alignment - 1) / Self.alignment * Self.alignment
        tables += [UInt8](repeating: 0, count: size - start - tables.count - Self.tableSize)
        tables.append(little: UInt64(sections.count))
        for section in sections {
            tables += Array(section.name.utf8) + [UInt8](repeating: 0, count: 16 - section.name.utf8.count)
            tables.append(little: UInt64(section.range.lowerBound))
            tables.append(little: UInt64(section.range.count))
        }
        try budget.write(tables.count)
        var head = Array("PXR-USDC".utf8) + [0, 8, 0, 0, 0, 0, 0, 0]
        head.append(little: UInt64(size - Self.tableSize))
        head += [UInt8](repeating: 0, count: Self.headSize - head.count)
        var sum = Checksum()
        sum.add(head)
        sum.add(checksum)
        sum.add(tables)
        return File(head: head, values: values, tables: tables, size: size, checksum: sum)
    }

    /// The paths, each before what is below it: their numbers, the names of their last parts, and where the next sibling
    /// stands: 0 for right behind, −1 for nowhere but with children right behind, −2 for neither, else so many further.
    private var pathTree: (order: [Int32], elements: [Int32], jumps: [Int32]) {
        var order: [Int32] = []
        var elements: [Int32] = []
        var jumps: [Int32] = []
        order.reserveCapacity(paths.count)
        elements.reserveCapacity(paths.count)
        jumps.reserveCapacity(paths.count)
        // Siblings wait below the children that come before them, with the place that jumps to them.
        var waiting: [(path: Int32, from: Int32)] = [(0, -1)]
        while let (path, from) = waiting.popLast() {
            let place = Int32(truncatingIfNeeded: order.count)
            if from >= 0 { jumps[Int(from)] = place - from }
            let node = paths[Int(path)]
            order.append(path)
            elements.append(node.element)
            switch (node.firstChild >= 0, node.nextSibling >= 0) {
            case (false, false): jumps.append(-2)
            case (true, false): jumps.append(-1)
            case (false, true), (true, true): jumps.append(0)
            }
            if node.nextSibling >= 0 { waiting.append((node.nextSibling, node.firstChild >= 0 ? place : -1)) }
            if node.firstChild >= 0 { waiting.append((node.firstChild, -1)) }
        }
        return (order, elements, jumps)
    }
}

extension CrateValue {
    /// Whether others may well be equal to it.
    fileprivate var isShort: Bool { bits & 1 << 62 != 0 }
}

extension [UInt8] {
    /// With its size before it.
    fileprivate mutating func append(packed bytes: [UInt8]) {
        append(little: UInt64(bytes.count))
        self += bytes
    }
}
