/// How the documents that a document refers to are found and read.
public struct DocumentLoader {
    public enum Location: Sendable, Hashable {
        /// The file at `path`, of so many bytes; `remark` says how it was found where it is not there as written.
        case found(path: String, bytes: Int64, remark: String?)
        /// `tried` is the path that was looked for.
        case missing(tried: String)
        /// Not to be opened; why, as a clause that follows "it".
        case blocked(reason: String)
    }

    /// Finds the file of a reference (as written, without `#` and what follows) that stands in the document at `base`.
    public var locate: (_ file: String, _ base: String) -> Location
    /// Reads the document at a path that ``locate`` gave, with the options handed in. A ``CodedError`` says that it
    /// cannot be read, and only that document is lost; any other error ends all reading.
    public var read: (_ path: String, _ options: ColladaOptions) throws -> ColladaParser.Reading

    public init(
        locate: @escaping (_ file: String, _ base: String) -> Location,
        read: @escaping (_ path: String, _ options: ColladaOptions) throws -> ColladaParser.Reading
    ) {
        self.locate = locate
        self.read = read
    }
}
