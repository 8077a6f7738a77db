// Only what libcurl says of headers is used: its other remarks tell user names.

import CLibCurl
import DaeCore

/// Tells what goes over the wire, a line at a time, without secrets.
struct RequestLog {
    private let write: @Sendable (String) -> Void
    private let masked: Set<String>

    /// How a request ended.
    struct Ending {
        let status: Int
        let bytes: Int64
        let seconds: Double
        let peer: String?
        let newConnections: Int
        /// `nil` where the answer came to its own end.
        let problem: String?
    }

    /// `nil` where nobody listens.
    init?(_ options: RequestOptions) {
        guard let write = options.log else { return nil }
        self.write = write
        masked = Self.secret.union(options.headers.map { $0.name.lowercased() })
    }

    private static let secret: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "authentication-info",
        "proxy-authentication-info",
    ]

    func begin(_ request: Request) {
        write("\(request.method.rawValue) \(request.address.display)")
    }

    func listen(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
        switch kind {
        case CURLINFO_HEADER_OUT: lines(of: bytes, after: "> ")
        case CURLINFO_HEADER_IN: lines(of: bytes, after: "< ")
        default: break
        }
    }

    func end(_ ending: Ending) {
        // Three digits behind the point.
        let thousandths = Int((ending.seconds * 1000).rounded())
        let fraction = String(1000 + thousandths % 1000).dropFirst()
        var text = "status \(ending.status), \(ending.bytes) bytes in \(thousandths / 1000).\(fraction) s"
        if let peer = ending.peer {
            text += " from \(peer) (\(ending.newConnections == 0 ? "connection used again" : "new connection"))"
        }
        write(text + (ending.problem.map { "; \($0)" } ?? ""))
    }

    private func lines(of bytes: UnsafeRawBufferPointer, after mark: String) {
        for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
            write(mark + shown(HeaderText.decode(line)).printable())
        }
    }

    private func shown(_ line: String) -> String {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return line }
        let name = String(line[..<colon])
        switch name.lowercased() {
        case let name where masked.contains(name): return line[...colon] + " " + HeaderText.mask
        case "location", "content-location", "refresh", "link":
            return "\(name): "
                + HeaderText.addressWithoutUser(HeaderText.trimmed(String(line[colon...].dropFirst())))
        default: return line
        }
    }
}
