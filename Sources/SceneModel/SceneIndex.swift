/// The place, from 0, of one thing in the scene's list of its kind. Two kinds cannot be mixed up.
public struct SceneIndex<Kind>: Sendable, Hashable {
    public let value: Int

    public init(_ value: Int) {
        self.value = value
    }
}

extension Array {
    /// The element an index of its kind leads to; indices come from the scene that holds the list.
    public subscript(index: SceneIndex<Element>) -> Element { self[index.value] }
}
