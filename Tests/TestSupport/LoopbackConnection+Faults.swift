import Glibc

extension LoopbackConnection {
    /// Whether the client's first byte is that of a TLS record; waits for it.
    func beginsWithHandshake() -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
            if count < 0, errno == EINTR { continue }
            return count == 1 && byte == 0x16
        }
    }

    /// Takes the client's first TLS record, so that nothing unread turns an orderly end into a reset.
    func readHandshake() {
        var header = [UInt8](repeating: 0, count: 5)
        guard recv(descriptor, &header, 5, Int32(MSG_WAITALL)) == 5 else { return }
        var record = [UInt8](repeating: 0, count: Int(header[3]) << 8 + Int(header[4]))
        _ = recv(descriptor, &record, record.count, Int32(MSG_WAITALL))
    }

    /// Waits, ten seconds at most, until the client's system has taken all bytes: a reset throws away the others.
    func waitUntilTaken() {
        for _ in 0..<10_000 {
            var left: Int32 = 0
            guard ioctl(descriptor, UInt(TIOCOUTQ), &left) == 0, left > 0 else { return }
            _ = poll(nil, 0, 1)
        }
    }
}
