// Holding a text against its simple type. Nothing is copied but what a fault shows.

extension ContentModels {
    /// What is wrong with a whole text of a type; `nil` if nothing is.
    ///
    /// - Complexity: linear in the text; for a union, times the number of its members.
    package func fault(in text: Span<UInt8>, of id: SimpleType.ID) -> SimpleTypeFault? {
        let type = self[id]
        switch type.form {
        case .builtIn(let builtIn):
            let text = builtIn.keepsSpace ? text : text.extracting(text.inner)
            return builtIn.fault(in: text).map { fault($0, text, type) }
        case .list(let item, let least, let most):
            var check = ListCheck(item: item, least: least, most: most, self)
            return check.add(text, self) ?? check.finish(type, self)
        case .values(let base, let values):
            let text = keepsSpace(base) ? text : text.extracting(text.inner)
            return values.contains { text.equals($0) } ? nil : fault(.value, text, type)
        case .range(let base, let range):
            if let fault = fault(in: text, of: base) { return fault }
            let text = text.extracting(text.inner)
            return NumberForm.value(text).map(range.contains) == true ? nil : fault(.range, text, type)
        case .text(let base, let form):
            let text = keepsSpace(base) ? text : text.extracting(text.inner)
            return form.holds(text) ? nil : fault(.text, text, type)
        case .union(let members):
            return members.contains { fault(in: text, of: $0) == nil }
                ? nil : fault(.value, text.extracting(text.inner), type)
        }
    }

    /// What is wrong with the whole text directly within an element; `nil` if nothing is.
    ///
    /// - Parameter isLenient: Whether white space may stand in an element that has no content. Around elements it always
    ///   may.
    package func fault(
        inTextOf declaration: ElementDeclaration, _ text: Span<UInt8>, lenient isLenient: Bool
    ) -> SimpleTypeFault? {
        let type = self[declaration.type]
        switch type.content {
        case .anything: return nil
        case .simple(let simple):
            // Empty is right where the declaration says what that means.
            if text.count == 0, declaration.defaultValue != nil { return nil }
            return fault(in: text, of: simple)
        case .empty: return isLenient && text.inner.isEmpty ? nil : faultOfAnyText(text, type)
        case .children: return text.inner.isEmpty ? nil : faultOfAnyText(text, type)
        }
    }

    private func faultOfAnyText(_ text: Span<UInt8>, _ type: ElementType) -> SimpleTypeFault? {
        guard text.count > 0 else { return nil }
        let shown = String(text.extracting(0..<min(text.count, 60)))
        return SimpleTypeFault(kind: .text, value: shown, expected: "no text", type: type.name)
    }

    /// Whether white space around a text of this type counts.
    private func keepsSpace(_ id: SimpleType.ID) -> Bool {
        switch self[id].form {
        case .builtIn(let type): type.keepsSpace
        case .values(let base, _), .range(let base, _), .text(let base, _): keepsSpace(base)
        case .list, .union: false
        }
    }

    func fault(_ kind: SimpleTypeFault.Kind, _ text: Span<UInt8>, _ type: SimpleType) -> SimpleTypeFault {
        let shown = String(text.extracting(0..<min(text.count, 60)))
        return SimpleTypeFault(kind: kind, value: shown, expected: expectation(of: type), type: type.name)
    }

    /// What a text of this type is, in words: `3 numbers`, `one of A, B`.
    package func expectation(of type: SimpleType) -> String {
        switch type.form {
        case .builtIn(let builtIn): builtIn.words.one
        case .list(let item, let least, let most):
            if let most, most == least { "\(most) \(several(item))" } else { several(item) }
        case .values(_, let values): "one of \(values.joined(separator: ", "))"
        case .range(_, let range):
            switch range.upper {
            case .none: "a number from \(range.lower.brief)"
            case .through(let most): "a number from \(range.lower.brief) to \(most.brief)"
            case .below(let most): "a number from \(range.lower.brief) to below \(most.brief)"
            }
        case .text(_, let form): form.words
        case .union(let members): "one of \(members.flatMap { values(of: $0) }.uniqued.joined(separator: ", "))"
        }
    }

    private func several(_ item: SimpleType.ID) -> String {
        switch self[item].form {
        case .builtIn(let builtIn): builtIn.words.many
        case .list, .values, .range, .text, .union: "items, each \(expectation(of: self[item]))"
        }
    }

    /// The words that are allowed; where any other text is, what it must be in words.
    func values(of id: SimpleType.ID) -> [String] {
        switch self[id].form {
        case .values(_, let values): values
        case .union(let members): members.flatMap { values(of: $0) }
        case .builtIn, .list, .range, .text: [expectation(of: self[id])]
        }
    }
}

extension UInt8 {
    /// White space of XML.
    var isSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
}

extension Span<UInt8> {
    /// Where it stands without white space at its ends.
    fileprivate var inner: Range<Int> {
        var low = 0
        var high = count
        while low < high, self[low].isSpace { low += 1 }
        while low < high, self[high - 1].isSpace { high -= 1 }
        return low..<high
    }

    fileprivate func equals(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count == count else { return false }
        var at = 0
        for byte in bytes {
            guard self[at] == byte else { return false }
            at += 1
        }
        return true
    }
}

extension Double {
    /// Without a decimal point where it needs none.
    fileprivate var brief: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

extension [String] {
    /// Each once, where it stands first.
    fileprivate var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
