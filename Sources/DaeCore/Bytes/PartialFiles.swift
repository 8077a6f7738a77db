import Glibc
import Synchronization

/// Files that have a name of their own until they are whole, for an end that lets nobody tidy up.
///
/// Of the whole program, since a signal ends all of it.
package enum PartialFiles {
    private enum State {
        case open(Set<String>)
        /// The program ends: none is made any more.
        case closed
    }

    private static let state = Mutex(State.open([]))

    /// Makes a file, unless the program ends: then its descriptor is -1.
    ///
    /// - Parameter make: Gives -1, and `errno`, where it could not.
    package static func create(
        _ make: () -> (path: String, descriptor: Int32)
    ) -> (path: String, descriptor: Int32) {
        state.withLock { state in
            guard case .open(var paths) = state else {
                errno = ECANCELED
                return ("", -1)
            }
            let made = make()
            guard made.descriptor >= 0 else { return made }
            paths.insert(made.path)
            state = .open(paths)
            return made
        }
    }

    /// Takes one away, or forgets one that has got its name.
    package static func remove(_ path: String) {
        state.withLock { state in
            guard case .open(var paths) = state, paths.remove(path) != nil else { return }
            unlink(path)
            state = .open(paths)
        }
    }

    /// Gives files their names, all of them or none, and none of them alone because the program ends; what had a name
    /// before is replaced.
    ///
    /// - Returns: Which one could not get its name, and the system's number of why; `nil` where all have.
    package static func place(_ files: [(partial: String, path: String)]) -> (failed: Int, code: Int32)? {
        state.withLock { state in
            guard case .open(var paths) = state else { return (0, ECANCELED) }
            for (index, file) in files.enumerated() where rename(file.partial, file.path) != 0 {
                let code = errno
                for placed in files[..<index] { unlink(placed.path) }
                return (index, code)
            }
            for file in files { paths.remove(file.partial) }
            state = .open(paths)
            return nil
        }
    }

    /// Takes all away, to be called when nothing but the program's end is to follow.
    package static func removeAll() {
        state.withLock { state in
            if case .open(let paths) = state {
                for path in paths { unlink(path) }
            }
            state = .closed
        }
    }
}

/// Reads what lies in a folder.
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
}
