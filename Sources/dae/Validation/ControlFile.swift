import Daedalus
import Glibc

/// Small files of a person's own, read whole.
enum ControlFile {
    static let name = ".daelint.json"

    /// - Parameter limit: In bytes; what is larger is refused.
    static func bytes(_ path: String, limit: Int) throws(ControlError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ControlError(file: path, message: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw ControlError(file: path, message: String(cString: strerror(errno)))
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit else {
                throw ControlError(file: path, message: "larger than \(limit) bytes")
            }
        }
    }

    /// The nearest `.daelint.json` in a folder or above it; `nil` where there is none.
    static func nearest(above folder: String) -> String? {
        guard let real = realpath(folder, nil) else { return nil }
        defer { free(real) }
        var place = Substring(String(cString: real))
        while true {
            let path = (place == "/" ? "" : place) + "/" + name
            if access(String(path), F_OK) == 0 { return String(path) }
            guard place.count > 1, let slash = place.lastIndex(of: "/") else { return nil }
            place = slash == place.startIndex ? "/" : place[..<slash]
        }
    }

    /// What kind of thing lies at a path; `nil` for nothing.
    static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// A path that a file in `folder` names.
    static func path(_ path: String, from folder: String) -> String { path.hasPrefix("/") ? path : folder + "/" + path }
}
