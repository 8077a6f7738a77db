import DaeCore
import Daedalus
import Glibc
import TestSupport
import Testing

/// `dae cache` on caches in every state.
@Suite(.timeLimit(.minutes(10))) struct CacheCommandTests {
    private let fixture: FetchFixture
    private let server: FaultServer
    private let body = FaultResource.noise(300_000)

    init() throws {
        fixture = try FetchFixture()
        server = try FaultServer(["/model.zip": FaultResource(body), "/other.zip": FaultResource(body)])
    }

    private func fill() throws -> String {
        let outcome = try fixture.run("fetch", server.url("/model.zip"), server.url("/other.zip"))
        try #require(outcome.code == 0, "\(outcome.errors)")
        return String(outcome.text.prefix { $0 != "\n" }.dropFirst(66))
    }

    @Test func anAbsentCacheIsAnEmptyOneAndIsNotMade() throws {
        #expect(try fixture.run("cache", "ls").text == "0 files, 0 bytes in \(fixture.cache)\n")
        #expect(try fixture.run("cache", "verify").text == "0 files, 0 bytes read: all sound\n")
        for arguments in [[], ["--all"], ["--to", "1M"], ["--unused", "3"]] {
            let outcome = try fixture.run(["cache", "prune"] + arguments)
            #expect(outcome.code == 0 && outcome.text == "removed 0 files, 0 bytes\n" && outcome.errors == "")
        }
        #expect(access(fixture.cache, F_OK) != 0)
    }

    @Test func filesAndBeginningsAreListed() throws {
        let path = try fill()
        server.serve(FaultResource(FaultResource.noise(2_000_000)), at: "/cut.zip")
        server.play([], then: .cut(after: 100_000), at: "/cut.zip")
        let child = try fixture.start(["fetch", server.url("/cut.zip")], as: "cut")
        while server.requests.count < 4 { _ = poll(nil, 0, 1) }
        kill(child, SIGINT)
        #expect(Program.wait(for: child) == 130)
        let lines = try fixture.run("cache", "ls").text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[1].contains("300 000  ") && lines[1].contains(SHA256Digest(hashing: body).hex.prefix(16)))
        #expect(lines[1].hasSuffix("\(server.url("/model.zip")) \(server.url("/other.zip"))"))
        #expect(lines[2].hasPrefix("partial: ") && lines[2].hasSuffix(" of 2 MB \(server.url("/cut.zip"))"))
        #expect(lines[3].hasPrefix("1 file, ") && lines[3].hasSuffix(" in \(fixture.cache)"))
        let list = try JSONNode(parsing: fixture.run("cache", "ls", "--format", "json").output)
        #expect(list["files"]?.elements.map { $0["path"]?.string } == [path])
        #expect(list["partials"]?.elements.map { $0["expected"] } == [2_000_000])
    }

    @Test func addressesStandOnceWhateverHeadersTheyWereAskedWith() throws {
        for header in ["X-Key: 1", "X-Key: 2"] {
            #expect(try fixture.run("fetch", "-H", header, server.url("/model.zip")).code == 0)
        }
        let line = try fixture.run("cache", "ls").text.split(separator: "\n").dropFirst().first
        #expect(line?.hasSuffix("  \(server.url("/model.zip"))") == true)
    }

    @Test func jsonFitsItsSchema() throws {
        let schema = try JSONSchema(JSONNode(parsing: Repository.fixture("schema/cache.schema.json")))
        func check(_ arguments: [String], _ key: String) throws {
            let output = try fixture.run(["cache"] + arguments + ["--format", "json"]).output
            let value = try JSONNode(parsing: output)
            #expect(schema.violations(in: value) == [], "\(arguments)")
            guard case .object(var members) = value, members.removeValue(forKey: key) != nil else {
                Issue.record("\(arguments): no \(key)")
                return
            }
            #expect(!schema.violations(in: .object(members)).isEmpty, "\(arguments)")
        }
        try check(["ls"], "files")
        let path = try fill()
        try check(["ls"], "folder")
        try damage(path)
        try check(["verify"], "damaged")
        try check(["verify"], "isSound")
        _ = try fill()
        try check(["prune"], "files")
        try check(["prune", "--all"], "bytes")
    }

    private func damage(_ path: String) throws {
        var bytes = body
        bytes[7] ^= 1
        try fixture.folder.write(bytes, to: "cache/" + path.dropFirst(fixture.cache.count + 1))
    }

    @Test func whatIsDamagedIsToldRemovedAndFetchedAgain() throws {
        let path = try fill()
        try damage(path)
        let found = try fixture.run("cache", "verify")
        #expect(found.code == 1)
        #expect(found.text.hasPrefix("removed: \(path): its bytes have "))
        for path in ["/model.zip", "/other.zip"] { #expect(found.text.contains(server.url(path))) }
        #expect(found.text.hasSuffix("1 file, 300 kB read: 1 damaged\n"))
        #expect(access(path, F_OK) != 0)
        #expect(try fixture.run("cache", "verify").code == 0)
        #expect(try fill() == path)
        #expect(server.requests.count { $0.bodyBytesSent > 0 } >= 2)
    }

    @Test func whatWasJustUsedIsPrunedOnRequestOnly() throws {
        let path = try fill()
        let kept = try fixture.run("cache", "prune", "--to", "1K")
        #expect(kept.code == 0 && kept.text == "removed 0 files, 0 bytes\n")
        #expect(kept.errors.contains("300 kB are left") && kept.errors.contains("--all"))
        #expect(access(path, F_OK) == 0)
        let old = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, path, old, 0) == 0)
        #expect(try fixture.run("cache", "prune").text == "removed 0 files, 0 bytes\n", "below its limit")
        let limited = try fixture.run("cache", "prune", adding: ["DAE_CACHE_LIMIT": "1K"])
        #expect(limited.text == "removed 1 file, 300 kB\n" && limited.errors == "")
        _ = try fill()
        #expect(try fixture.run("cache", "prune", "--unused", "1").text == "removed 0 files, 0 bytes\n")
        #expect(try fixture.run("cache", "prune", "--all").text == "removed 1 file, 300 kB\n")
        #expect(fixture.files("blobs") == [] && fixture.files("refs") == [])
    }

    @Test func aCacheThatCannotBeUsedIsSaidSo() throws {
        try fixture.folder.write("9\n", to: "newer/version")
        try fixture.folder.write("", to: "file")
        for (name, word) in [("newer", "a newer program made it"), ("file", "Not a directory")] {
            let place = ["DAE_CACHE": "\(fixture.folder.path)/\(name)"]
            for command in [["cache", "ls"], ["cache", "verify"], ["fetch", server.url("/model.zip")]] {
                let outcome = try fixture.run(command, adding: place)
                #expect(outcome.code == 3, "\(name) \(command)")
                #expect(outcome.text == "" && outcome.errors.contains(word), "\(outcome.errors)")
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test func thePathIsWrittenAsResultsAre() throws {
        #expect(try fixture.run("cache", "path").text == fixture.cache + "\n")
        let home = try fixture.run("cache", "path", adding: ["DAE_CACHE": "", "XDG_CACHE_HOME": "relative"])
        #expect(home.text == fixture.folder.path + "/.cache/daedalus\n")
        for command in [["cache", "path"], ["cache", "ls"]] {
            let full = try Program.start(command, output: "/dev/full", environment: fixture.environment)
            #expect(Program.wait(for: full) == 73)
        }
    }

    @Test func whatMakesNoSenseIsRefused() throws {
        for (arguments, word) in [
            (["prune", "--to", "much"], "expected a size"),
            (["prune", "--all", "--unused", "1"], "exclude each other"),
            (["prune", "--unused", "99999"], "expected 0 to 36500"), (["ls", "--format", "yaml"], "yaml"),
            (["empty"], "empty"),
        ] {
            let outcome = try fixture.run(["cache"] + arguments)
            #expect(outcome.code == 64 && outcome.errors.contains(word), "\(arguments): \(outcome.errors)")
        }
        let limit = try fixture.run("cache", "ls", adding: ["DAE_CACHE_LIMIT": "much"])
        #expect(limit.code == 64 && limit.errors.contains("DAE_CACHE_LIMIT is much"))
    }
}
