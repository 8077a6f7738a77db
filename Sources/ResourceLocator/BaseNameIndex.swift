// A hostile bundle has 200,000 files of one name and as many references to it: so duplicates lie sorted, and whether
// one of them is nearest is found by halving.

import URIReference

/// Every file of a bundle by its base name, built once.
struct BaseNameIndex: Sendable {
    enum Match {
        case none
        /// The only file of that name in the bundle.
        case unique(String)
        /// The nearest of several.
        case nearest(String)
        /// None is nearest: the first paths by name, and how many there are.
        case several([String], count: Int)
    }

    private var first: [String: String] = [:]
    /// All paths of the names that occur more than once, by their bytes.
    private var shared: [String: [String]] = [:]

    init(_ paths: [String]) {
        first.reserveCapacity(paths.count)
        for path in paths {
            let name = BundlePath.baseName(of: path)
            if let other = first[name] {
                shared[name, default: [other]].append(path)
            } else {
                first[name] = path
            }
        }
        shared = shared.compactMapValues { paths in
            let distinct = Self.sortedOnce(paths)
            return distinct.count > 1 ? distinct : nil
        }
    }

    /// The file of that name: in `folder` itself, else the only one below it, else the only one there is.
    ///
    /// - Complexity: O(1) for a name that occurs once, else O(log n) in the files of that name.
    func match(_ name: String, near folder: String) -> Match {
        guard let only = first[name] else { return .none }
        guard let paths = shared[name] else { return .unique(only) }

        let own = BundlePath.join(folder, name)
        let place = Self.firstIndex(in: paths) { !$0.utf8.lexicographicallyPrecedes(own.utf8) }
        if place < paths.count, paths[place].utf8.elementsEqual(own.utf8) { return .nearest(own) }

        let prefix = folder.isEmpty ? "" : folder + "/"
        let start = Self.firstIndex(in: paths) { !$0.utf8.lexicographicallyPrecedes(prefix.utf8) }
        let below = paths[start...].prefix(2).filter { $0.utf8.starts(with: prefix.utf8) }
        if below.count == 1 { return .nearest(below[0]) }
        return .several(Array(paths.prefix(Resolution.shownPaths)), count: paths.count)
    }

    /// Sorted by bytes; a path that an archive has twice stands once.
    private static func sortedOnce(_ paths: [String]) -> [String] {
        var distinct: [String] = []
        for path in paths.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            if let last = distinct.last, last.utf8.elementsEqual(path.utf8) { continue }
            distinct.append(path)
        }
        return distinct
    }

    /// The first index from which on the test holds, where it holds for all behind one.
    private static func firstIndex(in paths: [String], where holds: (String) -> Bool) -> Int {
        var low = 0
        var high = paths.count
        while low < high {
            let middle = low + (high - low) / 2
            if holds(paths[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
