import Glibc

/// Why the service cannot begin to serve.
struct ServiceStartError: Error, CustomStringConvertible {
    let description: String
    /// Of sysexits.h.
    let exitCode: Int32

    static func data(_ folder: String, _ reason: String) -> ServiceStartError {
        ServiceStartError(description: "\(folder): \(reason)", exitCode: 73)
    }

    static func noToken(_ host: String) -> ServiceStartError {
        ServiceStartError(
            description: "\(host) is no loopback address, and no token exists; make one with 'daed token add' first",
            exitCode: 78)
    }

    static func address(_ host: String, _ port: Int, _ reason: String) -> ServiceStartError {
        ServiceStartError(description: "cannot listen on \(host):\(port): \(reason)", exitCode: 69)
    }
}

/// Writes one line to standard error.
func complain(_ text: String) {
    let line = Array("daed: \(text)\n".utf8)
    _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
