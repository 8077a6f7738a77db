// A hostile bundle has 200,000 files of one name and as many references to it: so duplicates lie sorted, and whether
// one of them is nearest is found by halving.

import URIReference

/// Files of a bundle by a name of theirs, built once.
struct NameIndex: Sendable {
    enum Match {
        case none
        /// The only file of that name in the bundle.
        case unique(String)
        /// The nearest of several.
        case nearest(String)
        /// None is nearest: the first paths by name, and how many there are.
        case several([String], count: Int)
    }

    private let files: PathForms
    /// What lies in a folder under a name, by the two joined; `nil` where several do. For shared names only.
    private var beside: [String: String?] = [:]

    /// - Parameter name: `nil` leaves a file out.
    init(_ paths: [String], name: (String) -> String?) {
        files = PathForms(paths, form: name)
        for (name, paths) in files.shared {
            for path in paths {
                let key = BundlePath.join(BundlePath.folder(of: path), name)
                beside.updateValue(beside[key] == nil ? path : nil, forKey: key)
            }
        }
    }

    /// How many ancestors of a folder are looked into.
    static let ancestors = 8

    var isEmpty: Bool { files.isEmpty }

    func contains(_ name: String) -> Bool { files.contains(name) }

    /// The file of that name: the only one there is, else the one in `folder` itself, else the only one below it or
    /// below the nearest folder around it that has any.
    ///
    /// - Complexity: O(1) for a name that occurs once, else O(log n) in the files of that name.
    func match(_ name: String, near folder: String) -> Match {
        let paths = files.paths(of: name)
        guard let only = paths.first else { return .none }
        guard paths.count > 1 else { return .unique(only) }
        if let own = beside[BundlePath.join(folder, name)] ?? nil { return .nearest(own) }
        var place = folder
        for _ in 0..<Self.ancestors where !place.isEmpty {
            let below = paths.prefixed(place + "/", most: 2)
            if below.count == 1, let path = below.first { return .nearest(path) }
            if below.count > 1 { break }
            place = BundlePath.folder(of: place)
        }
        return .several(Array(paths.prefix(Resolution.shownPaths)), count: paths.count)
    }
}
