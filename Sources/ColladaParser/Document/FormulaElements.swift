public import XMLReader

extension ColladaDocument {
    public struct Formula: Sendable {
        public var id: String?
        public var sid: String?
        public var name: String?
        public var position: XMLPosition
        public var parameters: [NewParameter]
        public var target: Operand<Double>?
        /// The `<math>` element; `nil` without one, and where only figures were asked for.
        public var math: RawElement?
        /// The names in `csymbol` and `ci`, each once, in order.
        public var symbols: [String]
        /// Of its techniques for programs.
        public var extras: [Extra]
    }

    /// A formula that stands in a model or an axis.
    public enum FormulaUse: Sendable {
        /// Into ``ColladaDocument/formulas``.
        case own(Int)
        case instance(sid: String?, name: String?, Reference, [SetParameter])
    }
}

extension RawElement {
    /// The texts of all `csymbol` and `ci` within but for the variables that it binds itself, each once, in the file's
    /// order.
    var mathSymbols: [String] {
        var symbols: [String] = []
        var known = boundVariables
        // An explicit stack: files nest as deep as the budget lets them.
        var stack = [self]
        while let element = stack.popLast() {
            let name = element.localName
            if name == "csymbol" || name == "ci", !element.text.isEmpty, known.insert(element.text).inserted {
                symbols.append(element.text)
            }
            stack += element.children.reversed()
        }
        return symbols
    }

    /// The names of MathML's `bvar`.
    private var boundVariables: Set<String> {
        var names: Set<String> = []
        var stack = [self]
        while let element = stack.popLast() {
            if element.localName == "bvar" { names.formUnion(element.children.map(\.text)) }
            stack += element.children
        }
        return names
    }
}
