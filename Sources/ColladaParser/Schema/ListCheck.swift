/// A list that arrives in pieces, cut anywhere; of a piece no more is kept than its unfinished last item.
package struct ListCheck: Sendable {
    private let item: SimpleType.ID
    /// The item's type where it is none of the schema's own.
    private let builtIn: BuiltInType?
    private let least: Int
    private let most: Int?
    /// The item that goes on in the next piece; its beginning where it is long.
    private var started: [UInt8] = []
    /// Items so far.
    private(set) package var count = 0

    /// An item longer than this is not of any type that lists are made of, but text.
    private static let longestItem = 1 << 16

    init(item: SimpleType.ID, least: Int, most: Int?, _ models: ContentModels) {
        self.item = item
        if case .builtIn(let type) = models[item].form { builtIn = type } else { builtIn = nil }
        self.least = least
        self.most = most
    }

    /// `nil` for a type that is no list.
    ///
    /// - Parameters:
    ///   - count: Items that came before, with which nothing is wrong.
    ///   - started: The last one behind them, if that goes on in the next piece.
    package init?(_ id: SimpleType.ID, _ models: ContentModels, after count: Int = 0, started: [UInt8] = []) {
        guard case .list(let item, let least, let most) = models[id].form else { return nil }
        self.init(item: item, least: least, most: most, models)
        self.count = count
        self.started = started
    }

    /// What is wrong with the first item at fault of this piece; the rest of the piece is then only counted.
    package mutating func add(_ text: Span<UInt8>, _ models: ContentModels) -> SimpleTypeFault? {
        var first: SimpleTypeFault?
        // Asked of the fault itself, it would cost as much as an item.
        var isSound = true
        var at = 0
        while at < text.count {
            while at < text.count, text[at].isSpace {
                if !started.isEmpty {
                    first = close(models, unless: first)
                    isSound = first == nil
                }
                at += 1
            }
            let start = at
            while at < text.count, !text[at].isSpace { at += 1 }
            guard start < at else { break }
            if at == text.count || !started.isEmpty {
                for index in start..<at where started.count < Self.longestItem { started.append(text[index]) }
            } else {
                count += 1
                let item = text.extracting(start..<at)
                if isSound, !isSurelySound(item) {
                    first = fault(in: item, models)
                    isSound = first == nil
                }
            }
        }
        return first
    }

    /// Whether nothing is wrong with an item, as far as can be seen without making a fault of it.
    private func isSurelySound(_ item: Span<UInt8>) -> Bool {
        guard let builtIn else { return false }
        return builtIn.fault(in: item) == nil
    }

    /// What is wrong with the last item, or with the number of them.
    package mutating func finish(_ type: SimpleType, _ models: ContentModels) -> SimpleTypeFault? {
        if !started.isEmpty, let fault = close(models, unless: nil) { return fault }
        guard count < least || count > most ?? .max else { return nil }
        return SimpleTypeFault(
            kind: .length(found: count), value: "\(count)", expected: models.expectation(of: type), type: type.name)
    }

    private mutating func close(_ models: ContentModels, unless first: SimpleTypeFault?) -> SimpleTypeFault? {
        count += 1
        let fault = first ?? fault(in: started.span, models)
        started.removeAll(keepingCapacity: true)
        return fault
    }

    private func fault(in text: Span<UInt8>, _ models: ContentModels) -> SimpleTypeFault? {
        guard let builtIn else { return models.fault(in: text, of: item) }
        return builtIn.fault(in: text).map { models.fault($0, text, models[item]) }
    }
}
