import Daedalus

/// What came of reading a file under a neutral name.
struct NeutralOutcome: Codable, Sendable {
    let state: AssetState
    /// `nil` where they are not all known: then the file is read under each of its names.
    let mentions: FileMentions?

    /// Whether it is what reading the file under this name would give.
    func isTrue(of name: String) -> Bool { mentions.map { !$0.mayName(name) } ?? false }
}

/// How a file was read, or is to be.
enum ReadingName: Sendable {
    /// Under its own name, or one that is in nothing that is read of it.
    case own(ContentKey)
    case neutral(NeutralName)

    /// Of what was read.
    var key: ContentKey {
        switch self {
        case .own(let key): key
        case .neutral(let name): name.key
        }
    }
}
