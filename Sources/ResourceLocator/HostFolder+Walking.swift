import ByteSource
import Glibc

extension HostFolder {
    /// Which links are listed as what they lead to.
    enum Links {
        case none, files
    }

    /// What lies in a folder, as far as it was looked at.
    struct Listing {
        var files: [String] = []
        var folders: [String] = []
        /// Whether the system gave all there is.
        var isWhole = true

        var count: Int { files.count + folders.count }
    }

    /// What lies in the folder at a path; an empty path is the folder itself.
    func list(_ path: String, most: Int, links: Links = .none) -> Listing {
        var found = Listing()
        guard most > 0, let opened = descend(path, last: O_DIRECTORY) else { return found }
        let fault = FolderReading.read(adopting: opened) { bytes, type in
            // What is no UTF-8 cannot stand in a document.
            guard let name = String(validating: bytes, as: UTF8.self) else { return true }
            switch kind(of: type, bytes, in: opened, links) {
            case UInt32(S_IFREG): found.files.append(name)
            case UInt32(S_IFDIR): found.folders.append(name)
            default: break
            }
            return found.count < most
        }
        found.isWhole = fault == nil
        found.files = found.files.sortedOnce()
        found.folders = found.folders.sortedOnce()
        return found
    }

    /// The type bits of a mode; asks the file only where the folder does not know.
    private func kind(of type: Int, _ name: UnsafeRawBufferPointer, in folder: Int32, _ links: Links) -> UInt32 {
        switch type {
        case Int(DT_REG): return UInt32(S_IFREG)
        case Int(DT_DIR): return UInt32(S_IFDIR)
        case Int(DT_UNKNOWN), Int(DT_LNK):
            var status = stat()
            let text = name.map { CChar(bitPattern: $0) } + [0]
            guard fstatat(folder, text, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return 0 }
            let own = UInt32(status.st_mode & S_IFMT)
            guard own == UInt32(S_IFLNK), links == .files, fstatat(folder, text, &status, 0) == 0 else { return own }
            // A folder may hold the one it leads to.
            return status.st_mode & S_IFMT == S_IFREG ? UInt32(S_IFREG) : own
        default: return 0
        }
    }

    /// Files below the folder, its own first, then those of each further level; and whether they are all.
    ///
    /// - Parameters:
    ///   - depth: Levels looked into, 1 for the folder alone.
    ///   - most: Files and folders looked at.
    func walk(depth: Int, most: Int, links: Links = .none) -> (paths: [String], isComplete: Bool) {
        var paths: [String] = []
        var level = [""]
        var left = most
        var isWhole = true
        for _ in 0..<depth where !level.isEmpty {
            var next: [String] = []
            for folder in level {
                guard left > 0 else { return (paths, false) }
                let found = list(folder, most: left, links: links)
                left -= found.count
                isWhole = isWhole && found.isWhole
                let prefix = folder.isEmpty ? "" : folder + "/"
                paths += found.files.map { prefix + $0 }
                next += found.folders.filter { !$0.hasPrefix(".") }.map { prefix + $0 }
            }
            level = next
        }
        return (paths, isWhole && level.isEmpty && left > 0)
    }

    /// Folders that hold a file of this name, by their own names, the outermost first; none inside another.
    func folders(holding name: String, depth: Int, most: Int) -> [String: String] {
        var holders: [String: String] = [:]
        var level = [""]
        var left = most
        for _ in 0..<depth where !level.isEmpty && left > 0 {
            var next: [String] = []
            for folder in level where left > 0 {
                let found = list(folder, most: left)
                left -= found.count
                if found.files.contains(name) {
                    let own = folder.split(separator: "/").last.map(String.init) ?? ""
                    if holders[own] == nil { holders[own] = folder }
                } else {
                    next += found.folders.filter { !$0.hasPrefix(".") }.map { folder.isEmpty ? $0 : folder + "/" + $0 }
                }
            }
            level = next
        }
        return holders
    }
}
