import DaeCore

/// Where a database is and who asks it: `postgresql://user:password@host:port/database?sslmode=…`.
///
/// Its description leaves the password out. Without one libpq looks for it where psql does: `PGPASSWORD`, `~/.pgpass`.
package struct PostgreSQLAddress: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    package let host: String
    package let port: UInt16
    package let user: String
    package let database: String
    private let password: String?
    private let options: [String: String]

    /// - Throws: ``PostgreSQLError/badAddress(_:)``, in which nothing of the password stands.
    package init(_ text: String) throws(PostgreSQLError) {
        let parts = URIReference(text)
        guard parts.hasScheme("postgresql") || parts.hasScheme("postgres"), let authority = parts.authority else {
            throw .badAddress("it must begin with postgresql://")
        }
        guard parts.fragment == nil else { throw .badAddress("a # in it must be written as %23") }
        guard let at = authority.lastIndex(of: "@") else {
            throw .badAddress("it names no user: user@host is expected")
        }
        let who = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        user = try Self.decoded(who[0], "user")
        password = who.count > 1 ? try Self.decoded(who[1], "password") : nil
        (host, port) = try Self.place(authority[authority.index(after: at)...])
        database = try Self.decoded(parts.path.dropFirst(), "database")
        options = try Self.options(parts.query ?? "")
    }

    package var description: String {
        let place = host.contains(":") ? "[\(host)]" : PercentEncoding.encode(host)
        let query = options.sorted { $0.key < $1.key }.map {
            "\($0.key)=\(PercentEncoding.encode($0.value, keeping: "/"))"
        }
        return "postgresql://\(PercentEncoding.encode(user))@\(place):\(port)/\(PercentEncoding.encode(database))"
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// What prints a value by its members must not print the password either.
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }

    /// By libpq's names.
    var parameters: [String: String] {
        var all = options
        (all["host"], all["port"], all["user"], all["dbname"]) = (host, "\(port)", user, database)
        all["password"] = password
        return all
    }

    private static func place(_ text: Substring) throws(PostgreSQLError) -> (String, UInt16) {
        var (name, rest) = (text, Substring())
        if text.first == "[", let end = text.firstIndex(of: "]") {
            name = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
        } else if text.contains(where: { "[]".contains($0) }) {
            throw .badAddress("an IPv6 address in it stands in brackets: [::1]")
        } else if let colon = text.firstIndex(of: ":") {
            (name, rest) = (text[..<colon], text[colon...])
        }
        let host = try decoded(name, "host")
        if rest.isEmpty { return (host, 5432) }
        guard rest.first == ":", rest.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(rest.dropFirst()), port > 0
        else { throw .badAddress("the port must be a number from 1 to 65535") }
        return (host, port)
    }

    private static func options(_ query: String) throws(PostgreSQLError) -> [String: String] {
        var options: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(words[0])
            guard names.contains(name) else {
                // What is no name may be the rest of a password with a question mark in it.
                throw .badAddress("behind ? only \(names.joined(separator: ", ")) are understood")
            }
            let value = try decoded(words.count > 1 ? words[1] : "", name)
            guard name != "sslmode" || modes.contains(value) else {
                throw .badAddress("sslmode must be one of \(modes.joined(separator: ", "))")
            }
            guard options.updateValue(value, forKey: name) == nil else { throw .badAddress("\(name) stands twice") }
        }
        return options
    }

    private static let names = ["sslmode", "sslrootcert", "sslcert", "sslkey"]
    private static let modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

    private static func decoded(_ text: Substring, _ what: String) throws(PostgreSQLError) -> String {
        guard let decoded = PercentEncoding.decodeStrictly(text) else {
            throw .badAddress("a % in its \(what) must be followed by two hexadecimal digits")
        }
        guard !decoded.isEmpty else { throw .badAddress("it names no \(what)") }
        guard !decoded.unicodeScalars.contains(where: \.isControl) else {
            throw .badAddress("its \(what) holds control characters")
        }
        return decoded
    }
}
