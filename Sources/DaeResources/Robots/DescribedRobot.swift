// Loaders take a mesh by its very name or not at all, so no name is guessed at here as those of textures are.

package import DaeArchive
import DaeCore
package import DaeDiagnostics

/// A robot's description where it lies, and the files of the meshes that it names.
package struct DescribedRobot: Sendable {
    /// A mesh, and what its name leads to.
    package struct Mesh: Sendable {
        package let written: RobotDescription.Mesh
        package let target: Target
    }

    /// What a mesh's name leads to.
    package enum Target: Sendable, Hashable {
        /// A file, as seen from where the description was named, its path without links, and what reports call it.
        case found(path: String, real: String, shown: String)
        case absent
        /// On the web, where it is not looked for.
        case remote(url: String)
        case notLiteral
    }

    /// As it was given.
    package let path: String
    package let format: RobotDescription.Format
    /// Of the description itself.
    package let bytes: [UInt8]
    /// The folder that its package ends with: absolute, without links.
    package let root: String
    package private(set) var meshes: [Mesh] = []
    /// Places are in ``entry``.
    package private(set) var findings = FindingLog()

    /// What findings call the description.
    package var entry: String { BundlePath.baseName(of: path) }

    /// - Parameters:
    ///   - path: Of a regular file.
    ///   - root: As of ``LoneDocument/locate(_:root:)``.
    package init(
        reading path: String, as format: RobotDescription.Format, _ policy: LocatorPolicy, root: String?
    ) throws(CodedFailure) {
        self.path = path
        self.format = format
        let document: LoneDocument
        do throws(LoneDocument.Failure) { document = try LoneDocument.locate(path, root: root) } catch {
            switch error {
            case .missing(let error): throw CodedFailure(.ioError, error.description)
            case .notBelow(let root): throw CodedFailure(.ioError, "\(path) does not lie below \(root)")
            }
        }
        let most = RobotDescription.mostBytes
        let read: [UInt8]?
        do throws(SystemError) { read = try OpenFile(path, .reading).bytes(limit: most) } catch {
            throw CodedFailure(.ioError, "cannot be read: \(error.reason)")
        }
        guard let read else { throw CodedFailure(.robotDescriptionUnreadable, "it has more than \(most) bytes") }
        bytes = read
        self.root = document.root
        let description: RobotDescription
        do throws(CodedFailure) { description = try RobotDescription(bytes, as: format) } catch {
            var failure = error
            failure.place = error.place.within(entry: BundlePath.baseName(of: path))
            throw failure
        }
        take(description, RobotMeshSearch(path, document, policy))
    }

    private mutating func take(_ description: RobotDescription, _ search: RobotMeshSearch?) {
        var known: [String: (target: Target, reason: String)] = [:]
        for mesh in description.meshes {
            // What is like an absent name takes long to find, and beyond these no message is kept.
            let isTold = (findings.counts[.robotMeshNotFound] ?? 0) < findings.capPerCode
            let found = known[mesh.uri] ?? search?.target(of: mesh, isTold: isTold) ?? (.absent, "")
            known[mesh.uri] = found
            meshes.append(Mesh(written: mesh, target: found.target))
            note(mesh, found.target, found.reason)
        }
        guard description.isCut else { return }
        let place = Place(entry: entry)
        findings.add(
            .workLimitExceeded, at: place,
            "more than \(RobotDescription.mostMeshes) meshes are named; the others are not looked at")
    }

    private mutating func note(_ mesh: RobotDescription.Mesh, _ target: Target, _ reason: String) {
        let place = Place(entry: entry, line: mesh.line, column: mesh.column)
        let name = mesh.uri.quoted()
        switch target {
        case .found, .remote: break
        case .absent:
            findings.add(
                .robotMeshNotFound, at: place, "the mesh \(name) was not found\(reason)",
                arguments: [.init("reference", mesh.uri)])
        case .notLiteral:
            findings.add(
                .robotNameNotLiteral, at: place,
                "the mesh \(name) is known only when xacro has been run; it is not looked for",
                arguments: [.init("reference", mesh.uri)])
        }
        switch mesh.scale {
        case .factors, .notLiteral: break
        case .invalid(let text):
            findings.add(
                .robotScaleInvalid, at: place,
                "the scale of the mesh \(name) is \(text.quoted()); expected three numbers other than 0",
                arguments: [.init("scale", text)])
        }
    }
}

extension DescribedRobot {
    /// Names that mark the folder of a robot's package.
    package static let markers = ["package.xml", "model.config"]

    /// The nearest folder around a file that is marked as a package, by a path without links; `nil` where none is near.
    package static func package(of file: String) -> String? {
        guard var folder = (try? RealPath.of(file)).map(BundlePath.folder) else { return nil }
        for _ in 0...LoneDocument.ancestors where !folder.isEmpty {
            if markers.contains(where: { FileMetadata(folder + "/" + $0)?.kind == .file }) { return folder }
            folder = BundlePath.folder(of: folder)
        }
        return nil
    }

    /// The paths of the descriptions in a package's folder, sorted.
    package static func paths(in folder: String) -> [String] {
        let files = HostFolder(path: folder)?.walk(depth: LoneFolder.depth, most: LoneFolder.most, links: .files).paths
        return (files ?? []).filter { RobotDescription.Format(named: $0) != nil }.sorted().map {
            folder == "." ? $0 : folder + "/" + $0
        }
    }
}

/// Follows the names of one description.
private struct RobotMeshSearch {
    private let path: String
    private let document: LoneDocument
    private let locator: ResourceLocator
    /// What is told of meshes that are absent.
    private let guesses: ResourceLocator
    private let seesOutside: Bool

    init?(_ path: String, _ document: LoneDocument, _ policy: LocatorPolicy) {
        guard var locator = ResourceLocator(beside: document, policy: Self.widened(policy, document)) else {
            return nil
        }
        self.path = path
        self.document = document
        guesses = locator
        seesOutside = policy.mayLeaveRoot
        locator.rules = .literal
        self.locator = locator
    }

    /// With what lies beside the package, since packages of one robot mostly do.
    private static func widened(_ policy: LocatorPolicy, _ document: LoneDocument) -> LocatorPolicy {
        switch policy {
        case .bundleOnly: return .bundleOnly
        case .hostPaths(let roots):
            let around = BundlePath.folder(of: document.root)
            guard !around.isEmpty else { return policy }
            return .hostPaths(
                roots + [HostRoot(.packagePath, folder: around), HostRoot(.modelPath, folder: around)])
        }
    }

    /// - Parameter isTold: Whether it is said why it is absent, where it is.
    func target(of mesh: RobotDescription.Mesh, isTold: Bool) -> (target: DescribedRobot.Target, reason: String) {
        guard mesh.isLiteral else { return (.notLiteral, "") }
        let base = BundlePath.baseName(of: document.path)
        let resolution = locator.resolve(mesh.uri, from: base, as: .document)
        switch resolution.outcome {
        case .found(let inside, _, _):
            let folder = BundlePath.folder(of: document.path)
            guard case .file(let below) = BundlePath.resolve(inside, against: folder) else { return (.absent, "") }
            return (found(at: document.root + "/" + below, shown: inside), "")
        case .outside(let file, _, _):
            return (found(at: file.root.folder + "/" + file.path, shown: file.shown), "")
        case .remote(let url), .fetched(let url), .unfetched(let url, _): return (.remote(url: url), "")
        case .missing, .ambiguous, .blocked, .embedded:
            if resolution.isAbsolute, let path = ownPath(mesh.uri) { return (found(at: path, shown: path), "") }
            return (.absent, isTold ? reason(of: resolution, base) : "")
        }
    }

    /// The file of this machine that a name means with its whole path, as xacro writes it.
    private func ownPath(_ name: String) -> String? {
        guard seesOutside else { return nil }
        let address = URIReference(name)
        let path = address.hasScheme("file") ? PercentEncoding.decode(address.path) ?? address.path : name
        return path.hasPrefix("/") && FileMetadata(following: path)?.kind == .file ? path : nil
    }

    /// - Parameter shown: Where the way from the description is not short.
    private func found(at place: String, shown: String) -> DescribedRobot.Target {
        let real = (try? RealPath.of(place)) ?? place
        guard let way = way(to: real) else { return .found(path: place, real: real, shown: shown) }
        let (levels, rest) = BundlePath.climb(way, from: BundlePath.folder(of: path))
        let near = path.hasPrefix("/") ? "/" + rest : String(repeating: "../", count: levels) + rest
        // Where links are on the way, it may lead elsewhere.
        let isSame = (try? RealPath.of(near)).map { $0 == real } ?? false
        return .found(path: isSame ? near : real, real: real, shown: way)
    }

    /// From the description's folder, which has no links; `nil` where that leads far up.
    private func way(to real: String) -> String? {
        var from = (document.root + "/" + BundlePath.folder(of: document.path)).split(separator: "/")[...]
        var to = real.split(separator: "/")[...]
        while to.count > 1, let one = from.first, one == to.first {
            from.removeFirst()
            to.removeFirst()
        }
        guard from.count <= LoneDocument.ancestors else { return nil }
        return (from.map { _ in ".." } + to).joined(separator: "/")
    }

    /// Why a mesh is absent, as the end of a sentence.
    private func reason(of resolution: Resolution, _ base: String) -> String {
        if let unknown = resolution.trace.first(where: { $0.result == .unknownName }) {
            let kind = unknown.rule == .rosPackage ? "package" : "model"
            return "; no \(kind) is called \(unknown.path.quoted(80))"
        }
        let other = guesses.resolve(resolution.reference, from: base, as: .document)
        return other.path.map { "; there is \($0.quoted())" } ?? ""
    }
}
