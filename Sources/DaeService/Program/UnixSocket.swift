import DaeCore
import Daedalus

/// Sockets of this machine, which are files: whoever may write to one may connect.
enum UnixSocket {
    /// What `unix:` is followed by.
    static func path(in host: String) -> String? { host.hasPrefix("unix:") ? String(host.dropFirst(5)) : nil }

    /// An address has 108 bytes, and beside the path a name is needed until it is in its place.
    static func canBe(_ path: String) -> Bool {
        path.hasPrefix("/") && path.utf8.count <= 96 && !path.utf8.contains(0)
    }

    /// A connection.
    static func connection(to path: String) throws(SystemError) -> Int32 {
        let descriptor = try make()
        guard with(path, { connect(descriptor, $0, $1) }) == 0 else { throw failure(path, descriptor) }
        return descriptor
    }

    /// A socket that listens, in the place of one that nobody listens at any more. It is seen once its group may use it.
    static func listener(at path: String) throws(ServiceStartError) -> Int32 {
        if let other = FileMetadata(path) {
            guard other.kind == .socket else { throw .socket(path, "something else is there.") }
            switch Result(catching: { () throws(SystemError) in try connection(to: path) }) {
            case .success(let other):
                close(other)
                throw .socket(path, "another process listens there.")
            // Who may not ask, or is not heard in time, knows nothing of it.
            case .failure(let error):
                guard [ECONNREFUSED, ENOENT].contains(error.code) else { throw .socket(path, error.reason) }
            }
        }
        let place = "\(path).\(getpid())"
        unlink(place)
        do throws(SystemError) {
            let descriptor = try make()
            guard with(place, { bind(descriptor, $0, $1) }) == 0, chmod(place, 0o660) == 0,
                listen(descriptor, 256) == 0, rename(place, path) == 0
            else {
                let error = failure(path, descriptor)
                unlink(place)
                throw error
            }
            return descriptor
        } catch { throw .socket(path, error.reason) }
    }

    /// Removes a socket's file, unless another took its place.
    ///
    /// - Parameter file: Of the socket that was made.
    static func remove(_ path: String, _ file: FileMetadata.Identity?) {
        if let file, FileMetadata(path)?.identity == file { unlink(path) }
    }

    private static func failure(_ path: String, _ descriptor: Int32) -> SystemError {
        let error = SystemError(path)
        close(descriptor)
        return error
    }

    private static func make() throws(SystemError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        // Where more wait than a listener has places for, a connection waits, too.
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    private static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isWhole = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return false }
            room.copyBytes(from: path.utf8)
            return true
        }
        guard isWhole else {
            errno = ENAMETOOLONG
            return -1
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// A socket that systemd opened before it started the service, as sd_listen_fds(3) has it.
struct InheritedSocket {
    let descriptor: Int32
    let host: String
    let port: Int

    /// `nil` where there is none. What says so is no longer in the environment behind this.
    static func take() throws(ServiceStartError) -> InheritedSocket? {
        let names = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
        let (pid, count) = (value("LISTEN_PID"), value("LISTEN_FDS"))
        for name in names { unsetenv(name) }
        guard let pid, pid == getpid(), let count, count > 0 else { return nil }
        guard count == 1 else { throw .inherited("\(count) sockets were handed over; expected one.") }
        return try InheritedSocket(descriptor: 3)
    }

    private static func value(_ name: String) -> Int32? { getenv(name).flatMap { Int32(String(cString: $0)) } }

    private init(descriptor: Int32) throws(ServiceStartError) {
        var (listens, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1 else {
            throw .inherited("what was handed over is no socket that listens.")
        }
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw .inherited(String(cString: strerror(errno))) }
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard getsockname(descriptor, pointer, &length) == 0 else { return EAI_SYSTEM }
                let flags = NI_NUMERICHOST | NI_NUMERICSERV
                return getnameinfo(
                    pointer, length, &host, socklen_t(host.count), &port, socklen_t(port.count), flags)
            }
        }
        self.descriptor = descriptor
        if Int32(address.ss_family) == AF_UNIX {
            let path = withUnsafeBytes(of: &address) { bytes in
                bytes.dropFirst(MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }
            }
            (self.host, self.port) = ("unix:" + String(decoding: path, as: UTF8.self), 0)
            return
        }
        guard status == 0 else { throw .inherited(String(cString: gai_strerror(status))) }
        self.host = Self.text(host)
        self.port = Int(Self.text(port)) ?? 0
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.lazy.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension ServiceStartError {
    static func socket(_ path: String, _ reason: String) -> ServiceStartError {
        ServiceStartError(description: "cannot listen on unix:\(path): \(reason)", exitCode: 69)
    }

    static func inherited(_ reason: String) -> ServiceStartError {
        ServiceStartError(description: "socket activation: \(reason)", exitCode: 78)
    }
}
