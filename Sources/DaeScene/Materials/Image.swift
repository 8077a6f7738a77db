/// An image as the document names it; where its file is, the locator says.
public struct Image: Sendable, Equatable {
    public var id: String?
    public var name: String?
    /// Of the picture that stands for it: the only one, or the first of ``parts``.
    public var content: ImageContent
    public var shape: ImageShape
    /// Every picture, in the file's order, of an image that has more than one; else empty.
    public var parts: [ImagePart]
    /// The path of the document it stands in, which its own path is relative to; `nil` where that is not known.
    public var base: String?

    package init(
        id: String?, name: String?, content: ImageContent, shape: ImageShape = .flat, parts: [ImagePart] = [],
        base: String? = nil
    ) {
        self.id = id
        self.name = name
        self.content = content
        self.shape = shape
        self.parts = parts
        self.base = base
    }
}

public enum ImageShape: Sendable, Equatable {
    case flat, volume, cube
}

/// One picture of an image: a side, a level of detail, an element of an array or a layer.
public struct ImagePart: Sendable, Equatable {
    public enum Face: String, Sendable, Equatable, CaseIterable {
        case positiveX = "POSITIVE_X"
        case negativeX = "NEGATIVE_X"
        case positiveY = "POSITIVE_Y"
        case negativeY = "NEGATIVE_Y"
        case positiveZ = "POSITIVE_Z"
        case negativeZ = "NEGATIVE_Z"
    }
    /// Of a cube; `nil` when the file has it all.
    public var face: Face?
    /// From 0, the largest.
    public var mip: Int
    /// From 0.
    public var arrayIndex: Int
    /// The layer of a volume, from 0.
    public var depth: Int
    public var content: ImageContent

    package init(face: Face? = nil, mip: Int = 0, arrayIndex: Int = 0, depth: Int = 0, content: ImageContent) {
        self.face = face
        self.mip = mip
        self.arrayIndex = arrayIndex
        self.depth = depth
        self.content = content
    }
}

/// Where an image's bytes come from.
public enum ImageContent: Sendable, Equatable {
    /// A path or address, as written.
    case reference(String)
    case embedded(EmbeddedImage)
    /// Nothing is named.
    case none
}

/// An image's file within the document.
public struct EmbeddedImage: Sendable, Equatable {
    public enum Content: Sendable, Equatable {
        case bytes([UInt8])
        /// How many there are; they were not kept, because only figures were read or they are more than the budget.
        case counted(Int)
    }
    /// As the document names it, such as `PNG`.
    public var format: String?
    public var content: Content

    package init(format: String?, content: Content) {
        self.format = format
        self.content = content
    }

    public var byteCount: Int {
        switch content {
        case .bytes(let bytes): bytes.count
        case .counted(let count): count
        }
    }
}
