import SceneModel

/// Whose memory the texts and small numbers of a scene are in.
enum SceneMemory {
    /// Its own: a scene that is kept would else keep pages of the document from being given back.
    case own
    /// The document's, where a scene is used once and soon: the two live together then, and should not have the same
    /// twice.
    case document

    func text(_ text: String) -> String {
        switch self {
        case .own: text.detached()
        case .document: text
        }
    }

    /// The same for one that may be that of an id, as it is in the scene.
    func text(_ text: String, or id: String?) -> String {
        switch self {
        case .own: text.detached(or: id)
        case .document: text
        }
    }

    func measure(_ measure: MeshMeasure) -> MeshMeasure {
        switch self {
        case .own: measure.detached()
        case .document: measure
        }
    }

    func numbers(_ numbers: [Double]) -> [Double] {
        switch self {
        case .own: numbers.detached()
        case .document: numbers
        }
    }

    func numbers(_ numbers: [Int32]) -> [Int32] {
        switch self {
        case .own: numbers.detached()
        case .document: numbers
        }
    }
}

extension ColladaOptions {
    /// Whose memory a scene uses that is made with these options.
    var sceneMemory: SceneMemory {
        switch (retention, arrays) {
        case (.everything, .memory): .own
        case (.everything, .archive), (.figures, .memory), (.figures, .archive): .document
        }
    }
}
