import Glibc
import TestSupport

/// A listener that answers the first bytes of one connection, whatever they are, with a text.
struct PlainAnswer {
    let port: UInt16

    init(_ text: String, resets: Bool = false) throws {
        let listener = try Listener()
        port = listener.port
        BackgroundThread.start {
            let connection = accept(listener.descriptor, nil, nil)
            close(listener.descriptor)
            var buffer = [UInt8](repeating: 0, count: 4096)
            _ = recv(connection, &buffer, buffer.count, 0)
            _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
            var option = linger(l_onoff: resets ? 1 : 0, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            close(connection)
        }
    }
}
