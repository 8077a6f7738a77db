// URDF: <mesh filename scale>; SDF: <mesh><uri/><scale/></mesh>; xacro: URDF with ${…} and $(…) in it. All by local names:
// descriptions mix them (URDF holds SDF in <gazebo>), and nothing but the meshes counts here.

import DaeCore
package import DaeDiagnostics
import DaeXML

/// The meshes that the description of a robot or a world names.
package struct RobotDescription: Sendable, Hashable {
    /// How a description is written, by its name.
    package enum Format: String, Sendable, Hashable, CaseIterable {
        case urdf, sdf, xacro

        /// `nil` where a name says nothing of the kind.
        package init?(named name: String) {
            guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
            self.init(rawValue: name[dot...].dropFirst().lowercased())
        }
    }

    /// What a mesh is for.
    package enum Use: String, Sendable, Hashable {
        case visual, collision
        /// Neither is said.
        case other
    }

    /// How many times larger a mesh is than its file says, along each axis of its link.
    package enum Scale: Sendable, Hashable {
        /// None of them 0.
        case factors(SIMD3<Double>)
        /// Known only when xacro has been run.
        case notLiteral(String)
        /// No three numbers other than 0.
        case invalid(String)
    }

    /// One `<mesh>`.
    package struct Mesh: Sendable, Hashable {
        /// As written, without white space around it.
        package internal(set) var uri = ""
        package internal(set) var scale = Scale.factors([1, 1, 1])
        package let use: Use
        /// Those of its tag, from 1.
        package let line: Int
        package let column: Int

        /// Whether the name is meant as it stands, not as what xacro makes of it.
        package var isLiteral: Bool { RobotDescription.isLiteral(uri) }
    }

    package private(set) var meshes: [Mesh] = []
    /// Whether there are more than are kept.
    package private(set) var isCut = false

    /// Meshes of one description.
    package static let mostMeshes = 10_000
    /// Bytes of one description.
    package static let mostBytes = 16 << 20

    /// - Throws: What is wrong with the markup, with its place, as ``FindingCode/robotDescriptionUnreadable``.
    package init(_ bytes: [UInt8], as format: Format) throws(CodedFailure) {
        let handler = RobotReader(format)
        do throws(CodedFailure) {
            let reader = XMLReader(vocabulary: RobotReader.vocabulary, handler: handler)
            try bytes.span.bytes.withUnsafeBytes { bytes throws(CodedFailure) in try reader.read(bytes) }
            try reader.finish()
        } catch { throw CodedFailure(.robotDescriptionUnreadable, at: error.place, error.message) }
        if let stranger = handler.stranger {
            let root = format == .sdf ? "sdf" : "robot"
            throw CodedFailure(
                .robotDescriptionUnreadable, at: Place(line: stranger.line, column: stranger.column),
                "the root is <\(stranger.name.printable(limit: 80))>; expected <\(root)>")
        }
        (meshes, isCut) = (handler.meshes, handler.isCut)
    }

    fileprivate static func isLiteral(_ text: String) -> Bool { !text.contains("${") && !text.contains("$(") }
}

extension RobotDescription.Scale {
    /// - Parameter text: Three numbers, parted by white space.
    init(_ text: String) {
        let parts = text.split(whereSeparator: \.isWhitespace)
        let numbers = parts.prefix(4).compactMap { Double($0) }.filter { $0.isFinite && $0 != 0 }
        if !RobotDescription.isLiteral(text) {
            self = .notLiteral(text)
        } else if parts.count == 3, numbers.count == 3 {
            self = .factors([numbers[0], numbers[1], numbers[2]])
        } else {
            self = .invalid(text)
        }
    }
}

private final class RobotReader: XMLEventHandler {
    private(set) var meshes: [RobotDescription.Mesh] = []
    private(set) var isCut = false
    /// A root that no description of the format has.
    private(set) var stranger: (name: String, line: Int, column: Int)?

    /// Names of elements and attributes that count.
    private enum Word: String, CaseIterable {
        case mesh, uri, scale, filename, visual, collision, robot, sdf, gazebo
    }
    private static let words = Word.allCases
    static let vocabulary = XMLVocabulary(Word.allCases.map(\.rawValue))

    private let format: RobotDescription.Format
    private var open: [Word?] = []
    /// The mesh that is open, and how deep it lies; `nil` outside of one.
    private var mesh: (value: RobotDescription.Mesh, depth: Int)?
    private var text: [UInt8] = []

    /// Bytes of a name or a scale. No path of any system is longer.
    private static let textLimit = 64 << 10

    init(_ format: RobotDescription.Format) { self.format = format }

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        let own = name.number.map { Self.words[$0] }
        if open.isEmpty, !isRoot(own) {
            stranger = (name.localName, position.line, position.column)
            return .stop
        }
        open.append(own)
        text.removeAll(keepingCapacity: true)
        if own == .mesh, mesh == nil {
            var value = RobotDescription.Mesh(use: use, line: position.line, column: position.column)
            for index in 0..<attributes.count {
                switch attributes.number(at: index).map({ Self.words[$0] }) {
                case .filename: value.uri = Self.text(attributes.value(at: index))
                case .scale: value.scale = .init(Self.text(attributes.value(at: index)))
                case .mesh, .uri, .visual, .collision, .robot, .sdf, .gazebo, nil: break
                }
            }
            mesh = (value, open.count)
        }
        return .proceed
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        guard mesh != nil else { return .proceed }
        text.append(contentsOf: bytes.prefix(max(0, Self.textLimit - text.count)))
        return .proceed
    }

    func endElement(at position: XMLPosition) -> XMLFlow {
        defer {
            text.removeAll(keepingCapacity: true)
            open.removeLast()
        }
        guard let depth = mesh?.depth, let own = open.last else { return .proceed }
        if open.count == depth {
            if let value = mesh?.value, !value.uri.isEmpty { keep(value) }
            mesh = nil
        } else if open.count == depth + 1 {
            switch own {
            case .uri: mesh?.value.uri = text.withUnsafeBytes(Self.text)
            case .scale: mesh?.value.scale = .init(text.withUnsafeBytes(Self.text))
            case .mesh, .filename, .visual, .collision, .robot, .sdf, .gazebo, nil: break
            }
        }
        return isCut ? .stop : .proceed
    }

    private func keep(_ mesh: RobotDescription.Mesh) {
        if meshes.count < RobotDescription.mostMeshes { meshes.append(mesh) } else { isCut = true }
    }

    /// What a file of xacro is included in says what its root may be.
    private func isRoot(_ name: Word?) -> Bool {
        switch format {
        case .urdf: name == .robot
        case .sdf: name == .sdf || name == .gazebo
        case .xacro: true
        }
    }

    /// By the nearest element around that says it.
    private var use: RobotDescription.Use {
        for word in open.suffix(4).reversed() {
            switch word {
            case .visual: return .visual
            case .collision: return .collision
            case .mesh, .uri, .scale, .filename, .robot, .sdf, .gazebo, nil: continue
            }
        }
        return .other
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.prefix(textLimit), as: UTF8.self).trimmedWhiteSpace
    }
}
