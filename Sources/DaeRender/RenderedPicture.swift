public import DaeDiagnostics
import DaeImages

/// A picture of a scene.
public struct RenderedPicture: Sendable {
    /// Pixels.
    public let width: Int
    /// Pixels.
    public let height: Int
    /// Red, green, blue and alpha of each pixel, 0...255 as a display shows them, the top row first; colours are not
    /// multiplied by alpha.
    public let pixels: [UInt8]
    /// Which camera was used, for people.
    public let camera: String
    /// What could not be drawn, such as an image that cannot be read.
    public let findings: [Finding]
    /// Triangles and lines that were drawn, seen or not.
    package let faces: Int

    /// The picture as a file.
    ///
    /// - Throws: A ``CodedFailure`` where memory does not suffice.
    public func png() throws -> [UInt8] { try PNGImage(width: width, height: height, rgba: pixels).bytes }
}

/// Why there is no picture.
public struct RenderError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case stopped
        /// No camera is called so; these are there.
        case noCamera(String, known: [String])
        case badSize(width: Int, height: Int)
        case badSamples(Int)
        case failed(String)
    }
    package let reason: Reason

    package init(reason: Reason) { self.reason = reason }
}

extension RenderError: CustomStringConvertible {
    public var description: String {
        switch reason {
        case .stopped: return "stopped on request"
        case .noCamera(let name, let known):
            let expected =
                known.isEmpty
                ? "the scene has none, only fit" : "expected one of \(known.joined(separator: ", ")), or fit"
            return "there is no camera \(name); " + expected
        case .badSize(let width, let height):
            let sides = RenderOptions.sides
            return "the size is \(width) × \(height); expected \(sides.lowerBound) to \(sides.upperBound) pixels a side"
        case .badSamples(let count): return "\(count) samples; expected 1, 4 or 16"
        case .failed(let why): return why
        }
    }
}
