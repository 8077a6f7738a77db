import Glibc

extension HostFolder {
    /// Which links are listed as what they lead to.
    enum Links {
        case none, files
    }

    /// What lies in the folder at a path; an empty path is the folder itself.
    func list(_ path: String, most: Int, links: Links = .none) -> (files: [String], folders: [String]) {
        var found: (files: [String], folders: [String]) = ([], [])
        guard let opened = descend(path, last: O_DIRECTORY) else { return found }
        guard let stream = fdopendir(opened) else {
            close(opened)
            return found
        }
        defer { closedir(stream) }
        while found.files.count + found.folders.count < most, let item = readdir(stream) {
            let bytes = withUnsafeBytes(of: &item.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) }
            // What is no UTF-8 cannot stand in a document.
            guard let name = String(validating: bytes, as: UTF8.self), name != ".", name != ".." else { continue }
            switch kind(of: item.pointee.d_type, bytes, in: opened, links) {
            case UInt32(S_IFREG): found.files.append(name)
            case UInt32(S_IFDIR): found.folders.append(name)
            default: continue  // C codes
            }
        }
        return (found.files.sortedOnce(), found.folders.sortedOnce())
    }

    /// The type bits of a mode; asks the file only where the folder does not know.
    private func kind(of type: UInt8, _ name: [UInt8], in folder: Int32, _ links: Links) -> UInt32 {
        switch Int(type) {
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
        default: return 0  // C codes
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
        for _ in 0..<depth where !level.isEmpty {
            var next: [String] = []
            for folder in level {
                guard left > 0 else { return (paths, false) }
                let (files, folders) = list(folder, most: left, links: links)
                left -= files.count + folders.count
                let prefix = folder.isEmpty ? "" : folder + "/"
                paths += files.map { prefix + $0 }
                next += folders.filter { !$0.hasPrefix(".") }.map { prefix + $0 }
            }
            level = next
        }
        return (paths, level.isEmpty && left > 0)
    }

    /// Folders that hold a file of this name, by their own names, the outermost first; none inside another.
    func folders(holding name: String, depth: Int, most: Int) -> [String: String] {
        var found: [String: String] = [:]
        var level = [""]
        var left = most
        for _ in 0..<depth where !level.isEmpty && left > 0 {
            var next: [String] = []
            for folder in level where left > 0 {
                let (files, folders) = list(folder, most: left)
                left -= files.count + folders.count
                if files.contains(name) {
                    let own = folder.split(separator: "/").last.map(String.init) ?? ""
                    if found[own] == nil { found[own] = folder }
                } else {
                    next += folders.filter { !$0.hasPrefix(".") }.map { folder.isEmpty ? $0 : folder + "/" + $0 }
                }
            }
            level = next
        }
        return found
    }
}
