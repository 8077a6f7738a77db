import DaeCore
import Daedalus
import Hummingbird

/// Which assets a request is about, by its query.
struct AssetFilters: Sendable {
    private(set) var query = AssetQuery()
    /// As the next page is asked for with them.
    private(set) var words: [(name: String, value: String)] = []

    /// Parameters that say which assets are meant.
    static let names: Set<Substring> = ["state", "sha256", "name", "label"]

    init(_ request: Request) throws {
        let parameters = request.uri.queryParameters
        if let text = parameters["state"] {
            guard let state = AssetState.Kind(rawValue: String(text)) else {
                let known = AssetState.Kind.allCases.map(\.rawValue)
                throw Problem.parameter("state", text, expected: known.joined(separator: ", "))
            }
            query.state = state.rawValue
            words.append(("state", state.rawValue))
        }
        if let text = parameters["sha256"] {
            guard let digest = SHA256Digest(hex: text) else {
                throw Problem.parameter("sha256", text, expected: "64 hexadecimal digits")
            }
            query.digest = digest.hex
            words.append(("sha256", digest.hex))
        }
        if let text = parameters["name"] {
            // The database ends a text at a NUL, and would find more than was asked for.
            guard (1...200).contains(text.utf8.count), !text.utf8.contains(0) else {
                throw Problem.parameter("name", text, expected: "1 to 200 bytes that a name contains, none of them NUL")
            }
            query.name = String(text)
            words.append(("name", String(text)))
        }
        let labels = parameters[values: "label"]
        guard labels.count <= AssetLabels.limit else {
            throw Problem.parameter("label", "\(labels.count) times", expected: "\(AssetLabels.limit) times at most")
        }
        for text in labels {
            do throws(AssetDetailFault) { query.labels.append(try LabelFilter(text)) } catch {
                throw Problem.parameter("label", String(text).printable(limit: 40), expected: "NAME=VALUE, or NAME")
            }
            words.append(("label", String(text)))
        }
    }

    /// Refuses parameters that are none, or that stand there twice and can hold but once: without one that is passed over
    /// more would fit than was meant.
    static func checkNames(_ request: Request, besides others: Set<Substring>) throws(AssetDetailFault) {
        let known = names.union(others)
        let given = request.uri.queryParameters.map(\.key)
        if let unknown = Set(given).subtracting(known).min() {
            throw AssetDetailFault(
                unknown: "parameter", String(unknown), expected: known.sorted().joined(separator: ", "))
        }
        for name in known.sorted() where name != "label" && given.count(where: { $0 == name }) > 1 {
            throw AssetDetailFault(name: String(name), text: "'\(name)' stands there more than once.")
        }
    }

    /// The limit of a request, where it has one.
    static func limit(_ request: Request, most: Int) throws(Problem) -> Int? {
        guard let text = request.uri.queryParameters["limit"] else { return nil }
        guard let limit = Int(text), (1...most).contains(limit) else {
            throw .parameter("limit", text, expected: "1 to \(most)")
        }
        return limit
    }
}
