package import DaeCore

extension Dae {
    /// A list of numbers: in memory, or where there are very many in a file without a name that is gone with the last list in
    /// it. Both are read in the same way.
    ///
    /// - Complexity: A copy shares the numbers.
    public struct NumberArray<Number: BitwiseCopyable & Hashable & Sendable>: Sendable {
        @usableFromInline
        enum Storage: Sendable {
            case memory([Number])
            case file(FilePart)
        }

        /// Where in a file a list's numbers are. A class so that a list is one word.
        @usableFromInline
        final class FilePart: Sendable {
            let mapping: FileMapping
            /// The first one's address, within the mapping.
            @usableFromInline
            let start: UInt
            @usableFromInline
            let count: Int

            init(mapping: FileMapping, start: UInt, count: Int) {
                self.mapping = mapping
                self.start = start
                self.count = count
            }

            @usableFromInline
            func giveBack() { mapping.giveBack() }

            @usableFromInline
            func part(_ range: Range<Int>) -> FilePart {
                let first = start + UInt(range.lowerBound * MemoryLayout<Number>.stride)
                return FilePart(mapping: mapping, start: first, count: range.count)
            }
        }

        @usableFromInline
        let storage: Storage

        /// Numbers in memory.
        @inlinable
        public init(_ numbers: [Number] = []) { storage = .memory(numbers) }

        /// Numbers in a file.
        ///
        /// - Parameters:
        ///   - offset: The first one's byte; a multiple of a number's size.
        ///   - count: All of them within the mapping, and written.
        package init(in mapping: FileMapping, at offset: Int, count: Int) {
            storage = .file(FilePart(mapping: mapping, start: mapping.start(at: offset), count: count))
        }

        /// The numbers, one behind the other.
        @inlinable
        package var span: Span<Number> {
            @_lifetime(borrow self) get {
                switch storage {
                case .memory(let numbers): return _overrideLifetime(numbers.span, borrowing: self)
                case .file(let part):
                    let numbers = UnsafeBufferPointer(
                        start: UnsafePointer<Number>(bitPattern: part.start), count: part.count)
                    return _overrideLifetime(Span(_unsafeElements: numbers), borrowing: self)
                }
            }
        }

        /// The numbers in an array; those in a file are copied.
        @inlinable
        public var array: [Number] {
            switch storage {
            case .memory(let numbers): return numbers
            case .file(let part):
                defer { part.giveBack() }
                return span.withUnsafeBufferPointer { Array($0) }
            }
        }

        package var isInMemory: Bool {
            switch storage {
            case .memory: true
            case .file: false
            }
        }

        /// Some of the numbers; only those in memory are copied.
        ///
        /// - Parameter range: What of it lies beyond the numbers is left out.
        @inlinable
        package func part(_ range: Range<Int>) -> NumberArray {
            let range = range.clamped(to: 0..<count)
            guard range.count < count else { return self }
            switch storage {
            case .memory(let numbers): return NumberArray(Array(numbers[range]))
            case .file(let part):
                return NumberArray(storage: .file(part.part(range)))
            }
        }

        @inlinable
        init(storage: Storage) { self.storage = storage }

        /// Has a walk over very many numbers in a file take no more memory than a part of them: to be called now and then.
        @inlinable
        package func giveBack() {
            switch storage {
            case .memory: break
            case .file(let part): part.giveBack()
            }
        }

        /// Calls `body` with some numbers after others, so that those in a file are in memory for as long only.
        ///
        /// - Parameters:
        ///   - size: Numbers of each part, at least 1, but for the last.
        ///   - count: Numbers that are looked at, from the first; none beyond those there are.
        @inlinable
        package func forEachPart(
            of size: Int, upTo count: Int = .max, _ body: (_ part: Span<Number>, _ first: Int) -> Void
        ) {
            let end = Swift.min(count, self.count)
            var first = 0
            var seen = 0
            while first < end {
                let part = first..<Swift.min(end, first + size)
                body(span.extracting(part), first)
                first = part.upperBound
                seen += part.count
                if seen >= Self.mostSeen {
                    giveBack()
                    seen = 0
                }
            }
        }

        /// Numbers after which the pages of a file are given back.
        @usableFromInline
        static var mostSeen: Int { 1 << 19 }
    }
}

extension NumberArray: RandomAccessCollection {
    @inlinable
    public var startIndex: Int { 0 }
    @inlinable
    public var endIndex: Int { count }

    /// Numbers in the array.
    @inlinable
    public var count: Int {
        switch storage {
        case .memory(let numbers): numbers.count
        case .file(let part): part.count
        }
    }

    /// The number at a place, 0..<``count``.
    @inlinable
    public subscript(index: Int) -> Number { span[index] }

    @inlinable
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<Number>) throws -> Result
    ) rethrows -> Result? {
        try span.withUnsafeBufferPointer(body)
    }
}

extension NumberArray: Hashable {
    @inlinable
    public static func == (left: Dae.NumberArray<Number>, right: Dae.NumberArray<Number>) -> Bool {
        switch (left.storage, right.storage) {
        case (.memory(let left), .memory(let right)): left == right
        case (.memory, .file), (.file, .memory), (.file, .file): left.elementsEqual(right)
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        if let first { hasher.combine(first) }
        if let last { hasher.combine(last) }
    }
}

extension NumberArray: ExpressibleByArrayLiteral {
    /// From the numbers that are written.
    public init(arrayLiteral elements: Number...) { self.init(elements) }
}
