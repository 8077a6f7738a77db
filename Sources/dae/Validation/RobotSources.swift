import DaeCore
import Daedalus

/// A description of a robot as a source: the models among the meshes that it names, each once.
extension FolderSources.Contents {
    /// Takes what a description names; its folder's package says how the models are called below a folder.
    mutating func add(_ robot: DescribedRobot) {
        var known = Set(tops.keys)
        var others: [String: Int] = [:]
        for mesh in robot.meshes {
            guard case .found(let path, let real, _) = mesh.target else { continue }
            if Bundle.Kind(named: path) == nil {
                let ending = path.lastIndex(of: ".").map { path[$0...].lowercased() } ?? "no ending"
                others[ending.contains("/") ? "no ending" : ending, default: 0] += 1
            } else if known.insert(path).inserted {
                sources.append(path)
                // As seen from the source: what lies elsewhere goes by its own name.
                let below = real.hasPrefix(robot.root + "/") ? String(real.dropFirst(robot.root.count + 1)) : nil
                tops[path] = below ?? path.split(separator: "/").last.map(String.init) ?? path
            }
        }
        robots.append(robot)
        let unread = others.values.reduce(0, +)
        if unread > 0 {
            let endings = others.keys.sorted().joined(separator: ", ")
            notes.append(
                "\(robot.path): \(Figures.count(unread, "mesh is", "meshes are")) no COLLADA and not read (\(endings))")
        }
        let runtime = robot.findings.counts[.robotNameNotLiteral] ?? 0
        if runtime > 0 {
            notes.append(
                "\(robot.path): \(Figures.count(runtime, "mesh is", "meshes are")) known only when xacro has been run")
        }
    }

    /// What cannot be read, meshes that are absent with it.
    var failures: [InspectionFailure] {
        faults.map(\.failure)
            + robots.flatMap { robot in
                robot.findings.findings.filter { $0.code == .robotMeshNotFound }.map { finding in
                    InspectionFailure(
                        source: .init(input: robot.path), stage: .download, code: finding.code,
                        message: finding.message, place: finding.place)
                }
            }
    }
}

/// Reads descriptions, whose meshes may lie where a person said.
struct RobotReading: Sendable {
    /// What came of one.
    enum Outcome {
        case read(DescribedRobot)
        case failed(InspectionFailure)
    }

    let policy: LocatorPolicy
    let root: String?

    /// `nil` where no description is at a path.
    func robot(at path: String) -> Outcome? {
        guard let format = RobotDescription.Format(named: path), ControlFile.kind(path) == .file else { return nil }
        do throws(CodedFailure) {
            return .read(try DescribedRobot(reading: path, as: format, policy, root: root))
        } catch {
            let stage: InspectionFailure.Stage = error.code == .ioError ? .download : .parse
            return .failed(InspectionFailure(error, source: .init(input: path), stage: stage))
        }
    }
}

extension PlaceOptions {
    var robots: RobotReading { RobotReading(policy: policy, root: root) }
}

/// The descriptions that lie in packages below folders.
struct FolderRobots {
    private(set) var robots: [DescribedRobot] = []
    private(set) var failures: [InspectionFailure] = []
    /// Folders that hold descriptions and no model.
    private(set) var withoutModels: Set<String> = []

    /// - Parameter known: Were named themselves.
    init(below sources: [String], _ reading: RobotReading, known: [DescribedRobot]) throws {
        var seen = Set(known.map(\.path))
        for folder in sources where ControlFile.kind(folder) == .folder {
            let files = try FolderSources.files(below: folder) { name in
                Bundle.Kind(named: name) != nil || RobotDescription.Format(named: name) != nil
            }
            let paths = files.filter { Bundle.Kind(named: $0) == nil && DescribedRobot.package(of: $0) != nil }
            if !paths.isEmpty, paths.count == files.count { withoutModels.insert(folder) }
            for path in paths where seen.insert(path).inserted {
                switch reading.robot(at: path) {
                case .read(let robot): robots.append(robot)
                case .failed(let failure): failures.append(failure)
                case nil: break  // gone since it was listed
                }
            }
        }
    }
}

extension DescribedRobot {
    /// What `dae validate` prints of it.
    ///
    /// - Parameter findings: Those that count.
    func validationJSON(_ findings: JSONValue) -> JSONValue {
        [
            "schemaVersion": JSONValue(Inspection.schemaVersion),
            "source": ["input": .string(path), "kind": .null, "bytes": JSONValue(bytes.count), "sha256": .null],
            "robot": [
                "format": .string(format.rawValue),
                "meshes": .array(
                    meshes.map { mesh in
                        [
                            "reference": .string(mesh.written.uri), "use": .string(mesh.written.use.rawValue),
                            "line": JSONValue(mesh.written.line), "status": .string(mesh.target.status),
                            "path": JSONValue(mesh.target.path), "scale": mesh.written.scale.json,
                        ]
                    }),
            ], "findings": findings,
        ]
    }
}

extension DescribedRobot.Target {
    fileprivate var status: String {
        switch self {
        case .found: "found"
        case .absent: "missing"
        case .remote: "remote"
        case .notLiteral: "notLiteral"
        }
    }

    fileprivate var path: String? {
        switch self {
        case .found(_, _, let shown): shown
        case .remote(let url): url
        case .absent, .notLiteral: nil
        }
    }
}

extension RobotDescription.Scale {
    /// `null` where it is not known.
    fileprivate var json: JSONValue {
        switch self {
        case .factors(let factors): JSONValue(factors)
        case .notLiteral, .invalid: .null
        }
    }
}
