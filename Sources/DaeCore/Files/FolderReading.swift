/// What lies in folders.
package enum FolderReading {
    /// Hands over the name and type (`DT_REG`, …) of each thing in an open folder, but `.` and `..`, in no order, until
    /// `visit` says that it wants no more.
    ///
    /// - Parameter descriptor: Of the folder; closed when it is read.
    /// - Returns: The system's number for what kept the rest from being read; `nil` where nothing did.
    package static func read(
        adopting descriptor: Int32, _ visit: (_ name: UnsafeRawBufferPointer, _ type: Int) -> Bool
    ) -> Int32? {
        guard let stream = fdopendir(descriptor) else {
            let reason = errno
            close(descriptor)
            return reason
        }
        defer { closedir(stream) }
        while true {
            // The end and a fault look the same but for this.
            errno = 0
            guard let item = readdir(stream) else { return errno == 0 ? nil : errno }
            let goesOn = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
                let name = UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != 0 })
                return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
                    || visit(name, Int(item.pointee.d_type))
            }
            guard goesOn else { return nil }
        }
    }

    /// The same of the folder at a path.
    package static func read(
        _ path: String, _ visit: (_ name: UnsafeRawBufferPointer, _ type: Int) -> Bool
    ) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return descriptor < 0 ? errno : read(adopting: descriptor, visit)
    }

    /// The names in the folder at a path, sorted.
    package static func names(in path: String) throws(SystemError) -> [String] {
        var names: [String] = []
        let fault = read(path) { bytes, _ in
            names.append(String(decoding: bytes, as: UTF8.self))
            return true
        }
        if let fault { throw SystemError(path, fault) }
        return names.sorted()
    }

    /// The path of the folder in which a path's last part stands.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
