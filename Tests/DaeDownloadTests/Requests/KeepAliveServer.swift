import Glibc
import Synchronization
import TestSupport

/// An HTTP server that keeps its connections, at a loopback address that is not the usual one.
final class KeepAliveServer: Sendable {
    enum Failure: Error { case bind(Int32) }

    struct Exchange: Sendable {
        /// The number of the connection, from 0.
        let connection: Int
        let head: String
    }

    static let host = "127.0.0.9"
    let port: UInt16
    private let core: Core

    private final class Core: Sendable {
        let exchanges = Mutex<[Exchange]>([])
        let answer: @Sendable (_ head: String) -> String

        init(_ answer: @escaping @Sendable (String) -> String) {
            self.answer = answer
        }

        func serve(_ descriptor: Int32, as number: Int) {
            var head: [UInt8] = []
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) == 1 {
                head.append(byte)
                guard head.suffix(4).elementsEqual("\r\n\r\n".utf8) else { continue }
                let text = String(decoding: head, as: UTF8.self)
                head = []
                exchanges.withLock { $0.append(Exchange(connection: number, head: text)) }
                let reply = answer(text)
                guard send(descriptor, reply, reply.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else { break }
            }
            close(descriptor)
        }
    }

    /// - Parameter answer: Makes the whole answer out of a request's head.
    init(_ answer: @escaping @Sendable (String) -> String) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(Self.host)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, pointer, &size) == 0
            }
        }
        guard isListening else { throw Failure.bind(errno) }
        port = UInt16(bigEndian: address.sin_port)
        self.listener = listener
        let core = Core(answer)
        self.core = core
        BackgroundThread.start {
            var number = 0
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                let mine = number
                number += 1
                BackgroundThread.start { core.serve(descriptor, as: mine) }
            }
            close(listener)
        }
    }

    private let listener: Int32

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    var exchanges: [Exchange] { core.exchanges.withLock { $0 } }

    func url(_ path: String) -> String { "http://\(Self.host):\(port)\(path)" }

    static func ok(_ body: String, _ headers: [String] = []) -> String {
        answer("200 OK", ["Content-Length: \(body.utf8.count)"] + headers) + body
    }

    static func redirect(to location: String) -> String {
        answer("302 Found", ["Location: \(location)", "Content-Length: 0"])
    }

    private static func answer(_ status: String, _ headers: [String]) -> String {
        (["HTTP/1.1 \(status)"] + headers).map { $0 + "\r\n" }.joined() + "\r\n"
    }
}
