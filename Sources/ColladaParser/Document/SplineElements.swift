extension ColladaDocument {
    /// A curve through or by control vertices, told by its inputs: POSITION, INTERPOLATION, IN_TANGENT, …
    public struct Spline: Sendable {
        public enum Ends: Sendable {
            /// The last control vertex is joined to the first.
            case closed
            case open
        }
        public var ends: Ends
        /// Without their numbers when only figures were asked for.
        public var sources: [Source]
        public var controlVertices: [Input]

        /// The interpolations of its segments, as written; empty where their source is missing.
        public var interpolations: [String] {
            guard let input = controlVertices.first(where: { $0.semantic == "INTERPOLATION" }),
                case .names(let names)? = ColladaDocument.source(of: input, in: sources)?.array
            else { return [] }
            return names
        }
    }
}
