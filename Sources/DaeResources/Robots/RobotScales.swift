import DaeArchive
import DaeCore
package import DaeDiagnostics

/// The scales that the descriptions of robots give to meshes.
package struct RobotScales: Sendable {
    /// What gives a mesh its scale.
    package struct Given: Sendable, Hashable {
        package let factors: SIMD3<Double>
        /// The description and the line.
        package let place: Place
    }

    private struct Entry {
        let scale: RobotDescription.Scale
        let place: Place
    }

    /// By the mesh's path without links, each scale that is not the same as another.
    private var entries: [String: [Entry]] = [:]

    package init() {}

    package mutating func add(_ robot: DescribedRobot) {
        for mesh in robot.meshes {
            guard case .found(_, let real, _) = mesh.target,
                entries[real]?.contains(where: { $0.scale == mesh.written.scale }) != true
            else { continue }
            let place = Place(entry: robot.path, line: mesh.written.line)
            entries[real, default: []].append(Entry(scale: mesh.written.scale, place: place))
        }
    }

    /// The scale of a mesh.
    ///
    /// - Parameter real: The mesh's path without links.
    /// - Returns: `nil` where no description names it.
    /// - Throws: Why none can be meant, with the places of the descriptions.
    package func scale(of real: String) throws(CodedFailure) -> Given? {
        guard let entries = entries[real], let first = entries.first else { return nil }
        let given = entries.compactMap { entry in
            switch entry.scale {
            case .factors(let factors): Given(factors: factors, place: entry.place)
            case .notLiteral, .invalid: nil
            }
        }
        if given.count > 1 {
            let told = given.prefix(2).map { "\(Self.text($0.factors)) (\($0.place))" }.joined(separator: " and ")
            let more = given.count > 2 ? " and \(given.count - 2) more" : ""
            throw CodedFailure(.robotScaleAmbiguous, "descriptions give it several scales: \(told)\(more)")
        }
        if let only = given.first { return only }
        switch first.scale {
        case .factors: return nil
        case .notLiteral(let text):
            throw CodedFailure(
                .robotScaleInvalid, "its scale \(text.quoted()) is known only when xacro has been run (\(first.place))")
        case .invalid(let text):
            throw CodedFailure(
                .robotScaleInvalid,
                "its scale is \(text.quoted()); expected three numbers other than 0 (\(first.place))")
        }
    }

    /// As a description writes it.
    package static func text(_ factors: SIMD3<Double>) -> String {
        (0..<3).map { lane in
            let text = "\(factors[lane])"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }.joined(separator: " ")
    }
}
