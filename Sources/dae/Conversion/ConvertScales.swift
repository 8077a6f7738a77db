import DaeCore
import Daedalus
import Synchronization

/// The scale of each model that is converted, as the descriptions of robots give it. A class, for the threads that write
/// models ask it, and a package's descriptions are read once.
final class ConvertScales: Sendable {
    /// Whose descriptions are asked.
    enum Search {
        /// Those that were named as sources.
        case named
        /// Those of each model's package, too.
        case packages
    }

    /// What is known of one model's scale.
    enum Scale {
        /// Nobody asked.
        case unasked
        case given(RobotScales.Given)
        /// No description names it.
        case unnamed
        case refused(CodedFailure)
    }

    private let named: RobotScales
    private let search: Search
    private let reading: RobotReading
    private let packages = Mutex<[String: RobotScales]>([:])

    init(_ robots: [DescribedRobot], _ search: Search, _ reading: RobotReading) {
        var named = RobotScales()
        for robot in robots { named.add(robot) }
        self.named = named
        self.search = search
        self.reading = reading
    }

    /// - Parameter scene: The document's path in a source that is a folder; `nil` where that is not known yet.
    func scale(of source: String, scene: String? = nil) -> Scale {
        let path = scene.map { ControlFile.kind(source) == .folder ? source + "/" + $0 : source } ?? source
        guard ControlFile.kind(path) == .file, let real = try? RealPath.of(path) else {
            switch search {
            case .named: return .unasked
            case .packages: return .unnamed
            }
        }
        do throws(CodedFailure) {
            if let given = try named.scale(of: real) { return .given(given) }
            switch search {
            case .named: return .unasked
            case .packages:
                guard let package = DescribedRobot.package(of: real) else { return .unnamed }
                let scales = scales(of: package, shown: Self.shown(package, path, real))
                return try scales.scale(of: real).map { .given($0) } ?? .unnamed
            }
        } catch { return .refused(error) }
    }

    /// A package's folder as seen from where a file in it was named, where the way there has no links.
    private static func shown(_ package: String, _ path: String, _ real: String) -> String {
        let below = String(real.dropFirst(package.count))
        if path.hasSuffix(below), path.count > below.count { return String(path.dropLast(below.count)) }
        return "/" + path == below ? "." : package
    }

    private func scales(of package: String, shown: String) -> RobotScales {
        packages.withLock { packages in
            if let known = packages[package] { return known }
            var scales = RobotScales()
            for path in DescribedRobot.paths(in: shown) {
                switch reading.robot(at: path) {
                case .read(let robot): scales.add(robot)
                case .failed(let failure): complain(SourceRun.text(of: failure))
                case nil: break  // gone since it was listed
                }
            }
            packages[package] = scales
            return scales
        }
    }
}

extension ConvertScales.Scale {
    /// For people, as the end of a line; empty where nobody asked.
    var text: String {
        switch self {
        case .unasked, .refused: ""
        case .given(let given): "scale \(RobotScales.text(given.factors)) (\(given.place.description.withoutControls))"
        case .unnamed: "scale 1 (no robot's description names it)"
        }
    }

    /// What files are made with, where that is not their own size.
    var fingerprint: String {
        switch self {
        case .unasked, .unnamed: ""
        case .given(let given) where given.factors == [1, 1, 1]: ""
        case .given(let given): " scale \(RobotScales.text(given.factors))"
        case .refused: " scale unknown"
        }
    }
}
