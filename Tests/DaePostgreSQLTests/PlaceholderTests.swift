import TestSupport
import Testing

@testable import DaePostgreSQL

@Suite struct PlaceholderTests {
    @Test(arguments: [
        ("SELECT 1", "SELECT 1"),
        ("SELECT ?, ? + ?", "SELECT $1, $2 + $3"),
        ("a = ?AND b=?", "a = $1AND b=$2"),
        ("'?' ? 'it''s ?' ?", "'?' $1 'it''s ?' $2"),
        (#"'back\' ? '?'"#, #"'back\' $1 '?'"#),
        (#"E'back\'?' ? e'\\' ?"#, #"E'back\'?' $1 e'\\' $2"#),
        (#"date'\' ?"#, #"date'\' $1"#),
        (#""na?me""?" ?"#, #""na?me""?" $1"#),
        ("? -- why ?\n ?", "$1 -- why ?\n $2"),
        ("? /* a /* ? */ ? */ ?", "$1 /* a /* ? */ ? */ $2"),
        ("$$ ? $$ ? $t$ ? $$ ? $t$ ?", "$$ ? $$ $1 $t$ ? $$ ? $t$ $2"),
        ("a$b$?", "a$b$$1"),
        ("'open ?", "'open ?"), ("/* open ?", "/* open ?"), ("$a$ open ?", "$a$ open ?"), ("E'\\", "E'\\"), ("$", "$"),
    ])
    func argumentsAreNumbered(sql: String, expected: String) {
        #expect(Placeholders.numbered(sql + "?").hasPrefix(expected) || !expected.contains("open"))
        #expect(Placeholders.numbered(sql) == expected)
    }

    /// Statements put together of pieces of which it is known what becomes of them.
    @Test func anyMixOfPiecesIsNumbered() {
        let opaque = [
            "'?'", "'a''?'", "\"?\"", "/*?*/", "/* /*?*/ ' */", "--?'\n", "$$?'$$", "$x$?$$?$x$", "E'\\'?'", "a1", "$1",
            "SELECT", "(", ",", "ü",
        ]
        var numbers = SeededNumbers(seed: 42)
        for _ in 0..<2_000 {
            var (sql, expected, count) = ("", "", 0)
            for _ in 0..<Int.random(in: 0...12, using: &numbers) {
                if Bool.random(using: &numbers) {
                    count += 1
                    sql += "? "
                    expected += "$\(count) "
                } else {
                    let piece = (opaque.randomElement(using: &numbers) ?? "") + " "
                    sql += piece
                    expected += piece
                }
            }
            #expect(Placeholders.numbered(sql) == expected)
        }
    }

    @Test func anyBytesAreNumberedWithoutATrap() {
        let letters = Array("?'\"$-/*\\eE\na1 ü")
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<5_000 {
            let sql = String(
                (0..<Int.random(in: 0...24, using: &numbers)).map { _ in letters.randomElement(using: &numbers) ?? " " }
            )
            let numbered = Placeholders.numbered(sql)
            #expect(numbered.utf8.count >= sql.utf8.count)
        }
    }
}
