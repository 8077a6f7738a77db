/// A library of the machine that is loaded when it is first needed.
struct SystemLibrary: Sendable {
    private let name: String
    private let package: String
    /// Why it cannot be used.
    private let trouble: String?

    /// Loads it: to be kept in a constant of a type, which is made at its first use, and once.
    ///
    /// - Parameters:
    ///   - package: As Debian calls it.
    ///   - load: Gives `nil`, or why it cannot be used.
    init(_ name: String, package: String, load: () -> UnsafePointer<CChar>?) {
        self.name = name
        self.package = package
        trouble = load().map { String(cString: $0) }
    }

    func load() throws(ImageFault) {
        if let trouble { throw .libraryMissing(library: name, package: package, why: trouble) }
    }
}
