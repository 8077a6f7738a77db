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
