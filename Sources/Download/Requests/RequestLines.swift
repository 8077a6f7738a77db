/// The header lines that a request has beside libcurl's own, as libcurl takes them.
struct RequestLines {
    let texts: [String]

    init(_ request: Request, _ options: RequestOptions) throws(DownloadFailure) {
        var fields: [(name: String, value: String)] = []
        switch request.credentials {
        case .sent:
            fields = options.headers.map { ($0.name, $0.value) }
            if let token = options.bearerToken, !Self.names(in: fields).contains("authorization") {
                fields.append(("Authorization", "Bearer \(token.text)"))
            }
        case .dropped: break
        }
        let given = Self.names(in: fields)
        for field in request.fields where !given.contains(field.name.lowercased()) {
            // A validator may come out of a file that others can write to.
            guard HeaderText.isValue(field.value) else {
                throw .noResources(reason: "the request's \(field.name) contains control characters")
            }
            fields.append((field.name, field.value))
        }
        // Who answers before the body has come is heard all the same; to be asked first costs others a second.
        let expectation = request.body == nil ? [] : ["Expect:"]
        // libcurl takes a name without value for the wish to leave its own header out, unless a semicolon follows.
        texts = fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" } + expectation
    }

    private static func names(in fields: [(name: String, value: String)]) -> Set<String> {
        Set(fields.map { $0.name.lowercased() })
    }
}
