/// The namespaces that are declared where the tokenizer reads. Prefixes and namespaces are places among the names.
struct Namespaces {
    struct Binding {
        /// -1 for the default namespace.
        let prefix: Int
        let uri: Int
    }

    /// Bindings in scope at once.
    static let most = TagAttributes.most

    /// Those of the open elements, and behind them those of the tag being read.
    private var bindings: [Binding] = []
    /// How many the tag being read declares.
    private(set) var declared = 0
    /// Of names without a prefix; -1 for none.
    private(set) var defaultURI = -1
    /// Of the root; -1 for none.
    private(set) var rootURI = -1

    /// How many the tag being read may declare.
    var room: Int { Self.most &- (bindings.count &- declared) }

    /// Forgets what the tag before declared, unless its element is open.
    mutating func beginTag() {
        guard declared > 0 else { return }
        bindings.removeLast(declared)
        declared = 0
    }

    /// Adds a declaration of the tag being read; false where it has one of the same prefix.
    mutating func declare(prefix: Int, uri: Int) -> Bool {
        guard !bindings.suffix(declared).contains(where: { $0.prefix == prefix }) else { return false }
        bindings.append(Binding(prefix: prefix, uri: uri))
        declared += 1
        return true
    }

    /// The namespace of a prefix, in a tag whose declarations were all read; -1 for that of no prefix where none is
    /// declared, `nil` for a prefix that is not declared.
    func uri(of prefix: Int) -> Int? {
        bindings.last { $0.prefix == prefix }?.uri ?? (prefix < 0 ? -1 : nil)
    }

    mutating func begin(root uri: Int) { rootURI = uri }

    /// Keeps what the tag being read declares until its element ends.
    mutating func open() {
        declared = 0
        defaultURI = uri(of: -1) ?? -1
    }

    /// Ends an element that declared so many.
    mutating func close(_ count: Int) {
        beginTag()
        bindings.removeLast(count)
        defaultURI = uri(of: -1) ?? -1
    }

    /// The declarations of the open elements, in their order.
    var all: ArraySlice<Binding> { bindings.dropLast(declared) }
}
