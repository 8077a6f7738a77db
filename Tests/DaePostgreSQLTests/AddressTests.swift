import TestSupport
import Testing

@testable import DaePostgreSQL

@Suite struct AddressTests {
    @Test func everyPartIsTakenApart() throws {
        let address = try PostgreSQLAddress(
            "postgresql://us%40er:p%3a@ss:w@db.example:6543/my%20db?sslmode=verify-full&sslrootcert=/etc/ca.pem")
        #expect(
            address.parameters == [
                "host": "db.example", "port": "6543", "user": "us@er", "password": "p:@ss:w", "dbname": "my db",
                "sslmode": "verify-full", "sslrootcert": "/etc/ca.pem",
            ])
        #expect(
            "\(address)" == "postgresql://us%40er@db.example:6543/my%20db?sslmode=verify-full&sslrootcert=/etc/ca.pem")
        var dumped = ""
        dump(address, to: &dumped)
        #expect(!(dumped + String(reflecting: address)).contains("ss:w"))
    }

    @Test func whatIsLeftOutHasItsUsualValue() throws {
        let address = try PostgreSQLAddress("postgres://u@[::1]/d")
        #expect(address.parameters == ["host": "::1", "port": "5432", "user": "u", "dbname": "d"])
        #expect("\(address)" == "postgresql://u@[::1]:5432/d")
    }

    @Test(arguments: [
        ("mysql://u:sesame@h/d", "postgresql://"), ("postgresql:u:sesame@h/d", "postgresql://"),
        ("postgresql://h/d", "user"), ("postgresql://:sesame@h/d", "user"), ("postgresql://u:sesame@/d", "host"),
        ("postgresql://u:sesame@h", "database"), ("postgresql://u:sesame@h/", "database"),
        ("postgresql://u:@h/d", "password"), ("postgresql://u:sesame@h:0/d", "port"),
        ("postgresql://u:sesame@h:65536/d", "port"), ("postgresql://u:sesame@h:x/d", "port"),
        ("postgresql://u:sesame@h:/d", "port"), ("postgresql://u:sesame@[::1/d", "brackets"),
        ("postgresql://u:sesame%@h/d", "password"), ("postgresql://u:sesame%00@h/d", "password"),
        ("postgresql://u:sesame@h/d?sslmode=on", "sslmode"), ("postgresql://u:sesame@h/d?hostaddr=1.2.3.4", "sslmode"),
        ("postgresql://u:x@h/d?sesame@h/d", "sslmode"), ("postgresql://u:sesame@h/d?sslkey=a&sslkey=b", "twice"),
        ("postgresql://u:ses#ame@h/d", "%23"), ("", "postgresql://"),
    ])
    func whatIsWrongIsToldWithoutThePassword(text: String, word: String) throws {
        let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLAddress(text) }
        guard case .badAddress(let reason) = error else { throw error ?? PostgreSQLError.unsuitable("no error") }
        #expect(reason.contains(word))
        #expect(!reason.contains("sesame"))
    }

    @Test func anyTextIsTakenApartOrRefused() throws {
        let pieces = [
            "postgresql://", "postgres:", "u", ":", "@", "sesame", "h", "/", "d", "?", "sslmode=", "require", "&", "#",
            "%41",
            "%", "[", "]", "::1", "5432", "99999", "\0", "ü", " ", "=",
        ]
        var (numbers, taken) = (SeededNumbers(seed: 9), 0)
        for _ in 0..<20_000 {
            let text =
                (Bool.random(using: &numbers) ? "postgresql://u:sesame@h" : "")
                + (0..<Int.random(in: 0...8, using: &numbers)).map { _ in pieces.randomElement(using: &numbers) ?? "" }
                .joined()
            do {
                let address = try PostgreSQLAddress(text)
                taken += 1
                // What is shown is an address again, and the same but for the password.
                let again = try PostgreSQLAddress("\(address)")
                #expect(again.parameters == address.parameters.filter { $0.key != "password" })
                #expect(address.parameters.values.allSatisfy { !$0.utf8.contains(0) })
            } catch {
                #expect(!"\(error)".contains("sesame"), "\(text)")
            }
        }
        #expect(taken > 50)
    }
}
