import DaeArchive
import DaeDiagnostics
import TestSupport
import Testing

/// The security page is written by hand; its tables are held against the code.
@Suite struct SecurityPageTests {
    private let page: String
    /// The cells of every row of a table, by what stands in the first.
    private let rows: [String: [String]]

    init() throws {
        let path = Repository.root + "/Sources/Daedalus/Daedalus.docc/Security.md"
        page = String(decoding: try Repository.bytes(at: path), as: UTF8.self)
        let lines = page.split(separator: "\n").filter { $0.hasPrefix("|") }
        rows = Dictionary(
            lines.map { line in
                let cells = line.split(separator: "|").map { $0.trimming(while: " ") }
                return (cells[0], Array(cells.dropFirst()))
            }, uniquingKeysWith: { one, _ in one })
    }

    /// 200000 as `200,000`; names of 4096 bytes go without, as everywhere.
    private func grouped(_ number: Int) -> String {
        guard number >= 10_000 else { return String(number) }
        let digits = String(number)
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += "," }
            text.append(digit.element)
        }
    }

    private func bytes(_ count: Int64) -> String {
        count % (1 << 30) == 0 ? "\(count >> 30) GiB" : "\(count >> 20) MiB"
    }

    @Test func everyCodeOfAnArchiveIsNamed() {
        let codes = FindingCode.allCases.map(\.rawValue).filter { $0.hasPrefix("ARCHIVE_") }
        #expect(codes.count >= 17)
        #expect(codes.filter { !page.contains("`\($0)`") } == [])
    }

    @Test func everyCodeThatIsNamedExists() {
        let words = page.matches(of: /`([A-Z]+(?:_[A-Z]+)+)`/).map { String($0.output.1) }
        #expect(words.count > 20)
        let paths = ["ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GZ_SIM_RESOURCE_PATH"]
        #expect(words.filter { FindingCode(rawValue: $0) == nil && !paths.contains($0) } == [])
    }

    @Test func everyBudgetOfAnArchiveStandsThereWithItsDefault() throws {
        let limits = ArchiveLimits()
        guard case .scaled(let factor, let floor, let ceiling) = limits.inflatedBytes else {
            Issue.record("the budget of inflated bytes is another one")
            return
        }
        let ratio = "Inflated to compressed, of an entry above \(bytes(limits.ratioThreshold))"
        let told: [String: (row: String, value: String, code: FindingCode)] = [
            "entryCount": ("Entries of an archive", grouped(limits.entryCount), .archiveEntryCountExceeded),
            "inflatedBytes": (
                "Inflated bytes of all entries",
                "\(bytes(floor)), or \(factor) times the archive up to \(bytes(ceiling))", .archiveTotalSizeExceeded
            ),
            "ratio": (ratio, String(limits.ratio), .archiveRatioExceeded),
            "ratioThreshold": (ratio, String(limits.ratio), .archiveRatioExceeded),
            "nestingDepth": ("Archives in archives", grouped(limits.nestingDepth), .archiveDepthExceeded),
            "nestedArchives": (
                "Archives within a bundle that are open at a time", grouped(limits.nestedArchives),
                .archiveEntryCountExceeded
            ),
            "nameBytes": ("Bytes of an entry's name", grouped(limits.nameBytes), .archiveInvalid),
            "directoryBytes": (
                "Bytes of an archive's directory", bytes(limits.directoryBytes), .archiveTotalSizeExceeded
            ),
        ]
        // A new budget has to be told too.
        #expect(Set(Mirror(reflecting: limits).children.compactMap(\.label)) == Set(told.keys))
        for (budget, row) in told {
            #expect(rows[row.row] == [row.value, "`\(row.code.rawValue)`"], "\(budget)")
        }
    }
}

extension Substring {
    fileprivate func trimming(while character: Character) -> String {
        String(drop { $0 == character }.reversed().drop { $0 == character }.reversed())
    }
}
