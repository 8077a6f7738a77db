// Where odd numbers stand is worked out only when there is one, from the text at hand and what was kept of earlier
// pieces: neither may depend on how the document is cut.

import DaeCollada
import DaeDiagnostics
import Testing

@Suite struct NumberPlaceTests {
    private static let cuts = [1, 2, 3, 7, 61, 1000, 1 << 16]

    private func document(_ values: String, indices: String = "0 1 2") -> String {
        Document(
            body: Mesh.geometry(
                "<triangles count='1'>\(Mesh.input)<p>\(indices)</p></triangles>",
                source: Mesh.source("pos", values, count: 12))
        ).text
    }

    /// Line, column and byte of the first occurrence.
    private func place(of token: String, in text: String) throws -> [Int64] {
        let range = try #require(text.firstRange(of: token))
        let before = text[..<range.lowerBound].unicodeScalars
        let line = before.count { $0 == "\n" } + 1
        let column = (before.lastIndex(of: "\n").map { before[$0...].count - 1 } ?? before.count) + 1
        return [Int64(line), Int64(column), Int64(text[..<range.lowerBound].utf8.count)]
    }

    private func check(_ text: String, _ token: String, _ code: FindingCode, at cut: Int) throws {
        let outcome = Outcome(Array(text.utf8), chunk: cut)
        let found = try #require(outcome.first(code)?.place, "\(outcome.findings)")
        #expect(try [Int64(found.line ?? 0), Int64(found.column ?? 0), found.byte ?? -1] == place(of: token, in: text))
    }

    @Test(arguments: cuts) func anOddTokenIsToldWhereItStands(cut: Int) throws {
        let values = "0 0 0\n 1 0 0\n1 1\tquux\n0 1 0"
        try check(document(values), "quux", .schemaInvalidNumber, at: cut)
        try check(document("0 0 0 1 0 0 1 1 0 0 1 0", indices: "0\n1 zwei"), "zwei", .schemaInvalidNumber, at: cut)
    }

    @Test(arguments: cuts) func aTokenWithACommaIsToldWhereItStands(cut: Int) throws {
        let values = "0 0 0\n 1 0 0\n1 1\t0,5\n0 1 0"
        try check(document(values), "0,5", .numberDecimalComma, at: cut)
    }

    @Test(arguments: cuts) func aTokenInLinesThatEndInTwoBytesIsToldWhereItStands(cut: Int) throws {
        let values = "0 0 0\r\n 1 0 0\r\n1 1\tquux\r\n0 1 0"
        try check(document(values, indices: "0 1\r\n 2\r\n"), "quux", .schemaInvalidNumber, at: cut)
        try check(document("0 0 0 1 0 0 1 1 0\r\n0 1 0", indices: "0\r\n1 zwei"), "zwei", .schemaInvalidNumber, at: cut)
    }

    @Test(arguments: cuts) func aTokenBehindACommentIsToldWhereItStands(cut: Int) throws {
        let values = "0 0 0\n 1 0 <!-- a\n comment -->0\n1 1\tquux\n0 1 0"
        try check(document(values), "quux", .schemaInvalidNumber, at: cut)
    }

    @Test func oddTokensInALongListAreToldWhereTheyStand() throws {
        let row = "0.125 -17.5 3e2\n"
        let rows = String(repeating: row, count: 9000)
        // Somewhere in the second piece, across the end of the first, and as the last token.
        for place in [4100 * row.utf8.count, 4096 * row.utf8.count - 3 * row.utf8.count / 2, rows.utf8.count] {
            let index = rows.utf8.index(rows.startIndex, offsetBy: place)
            let values = rows[..<index] + " quuux" + rows[index...]
            try check(document(String(values)), "quuux", .schemaInvalidNumber, at: 1 << 16)
            try check(document(String(values)), "quuux", .schemaInvalidNumber, at: 5003)
        }
    }
}
