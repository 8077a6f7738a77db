import Daedalus

/// Whose word on a request's origin is taken.
struct TrustedProxies: Sendable {
    private let blocks: [AddressBlock]

    /// Nobody's.
    static let none = TrustedProxies(blocks: [])

    private init(blocks: [AddressBlock]) { self.blocks = blocks }

    /// - Parameter texts: Blocks of addresses, such as `10.0.0.0/8`.
    init(_ texts: [String]) throws(NetworkRuleError) {
        var blocks: [AddressBlock] = []
        for text in texts { blocks.append(try AddressBlock(text)) }
        self.init(blocks: blocks)
    }

    /// The address that a request came from.
    ///
    /// - Parameters:
    ///   - peer: Who sent it here.
    ///   - forwarded: The values of its `X-Forwarded-For`: each proxy adds behind the others whom it has it from. The
    ///     last of them that is no trusted proxy is the client; what stands before it anybody may have written.
    func client(peer: String?, forwarded: [String]) -> String? {
        guard var last = peer, trusts(last) else { return peer }
        for word in forwarded.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }).reversed() {
            // What is no address says nothing, and hides what stands before it.
            guard let address = Self.address(word) else { return last }
            last = address
            guard trusts(address) else { return address }
        }
        return last
    }

    private func trusts(_ address: String) -> Bool { blocks.contains { $0.contains(address: address) } }

    /// Without white space, and without a port or the brackets of IPv6.
    private static func address(_ word: Substring) -> String? {
        var text = word.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        if text.first == "[", let end = text.firstIndex(of: "]") {
            text = text[text.index(after: text.startIndex)..<end]
        } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
            text = text[..<colon]
        }
        return AddressBlock.isAddress(String(text)) ? String(text) : nil
    }
}
