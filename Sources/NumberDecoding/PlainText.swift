import CTextScan

/// A run of text in which nothing is out of the common, up to the markup behind it or the end of what is there.
package struct PlainText {
    /// Bytes.
    package let count: Int
    package let newlines: Int
    /// The place of the last newline, where there is one.
    package let lastNewline: Int

    package init(count: Int, newlines: Int, lastNewline: Int) {
        self.count = count
        self.newlines = newlines
        self.lastNewline = lastNewline
    }

    /// Whether this machine looks through text by vector instructions; else ``init(of:_:withReturns:)`` gives nothing.
    package static let isFast = dae_has_vectors()

    /// `nil` where something stands before the next `<` that is no plain text: a reference, a bracket, a control character
    /// or a byte above 127.
    package init?(of bytes: UnsafePointer<UInt8>, _ count: Int, withReturns: Bool) {
        var newlines = 0
        var last = -1
        let end = UnsafeRawPointer(bytes).withMemoryRebound(to: CChar.self, capacity: count) {
            dae_scan_text($0, count, withReturns ? 1 : 0, &newlines, &last)
        }
        // SIZE_MAX, which is -1 here.
        guard end >= 0 else { return nil }
        self.count = end
        self.newlines = newlines
        lastNewline = last
    }
}
