/// A certificate for loopback by an authority that nobody else knows; made by openssl's command line.
public struct Certificate: Sendable {
    /// The authority, to be trusted or not.
    public let authority: String
    public let chain: String
    public let key: String

    /// - Parameter names: For whom it holds, such as `IP:127.0.0.1`.
    public init(in folder: TemporaryFolder, names: String) throws {
        authority = folder.path + "/ca.pem"
        chain = folder.path + "/server.pem"
        key = folder.path + "/server.key"
        let fresh = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        ]
        try Self.openssl(
            fresh + ["-keyout", folder.path + "/ca.key", "-out", authority, "-subj", "/CN=Authority of a test"])
        try Self.openssl(
            fresh + [
                "-CA", authority, "-CAkey", folder.path + "/ca.key", "-keyout", key, "-out", chain,
                "-subj", "/CN=Server of a test", "-addext", "subjectAltName=\(names)",
                "-addext", "basicConstraints=critical,CA:FALSE",
            ])
    }

    private static func openssl(_ arguments: [String]) throws {
        let (status, output) = try ChildProcess.run("openssl", arguments)
        guard status == 0 else { throw ChildProcess.Failure(program: "openssl", reason: output) }
    }
}
