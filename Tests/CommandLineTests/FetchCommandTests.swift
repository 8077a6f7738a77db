import DaeCore
import Daedalus
import Glibc
import TestSupport
import Testing

/// `dae fetch` as a user meets it.
@Suite(.timeLimit(.minutes(10))) struct FetchCommandTests {
    private let fixture: FetchFixture
    private let server: FaultServer
    private let body = FaultResource.noise(300_000)
    private let other = FaultResource.noise(1000, seed: 2)

    init() throws {
        fixture = try FetchFixture()
        server = try FaultServer(["/model.zip": FaultResource(body), "/other.zip": FaultResource(other)])
        server.play([], then: .page, at: "/page.zip")
        server.play([], then: .status(401, ["WWW-Authenticate: Basic realm=\"models\""]), at: "/private.zip")
    }

    private var model: String { server.url("/model.zip") }
    private func digest(_ bytes: [UInt8]) -> String { SHA256Digest(hashing: bytes).hex }

    // MARK: - Results

    @Test func aFileIsInTheCacheUnderItsHash() throws {
        let outcome = try fixture.run("fetch", model)
        #expect(outcome.code == 0)
        #expect(outcome.text == fixture.line(of: body))
        #expect(outcome.errors == "")
        #expect(try Repository.bytes(at: String(outcome.text.dropFirst(66).dropLast())) == body)
        let list = try fixture.folder.write(outcome.output, to: "list")
        let check = try Program.run(["--check", list], program: "sha256sum")
        #expect(check.code == 0)
        #expect(check.text.hasSuffix(": OK\n"))
    }

    @Test func aPathThatWouldBreakItsLineIsSpelledOut() throws {
        let outcome = try fixture.run("fetch", "-o", "a\\b\nc.zip", model)
        #expect(outcome.text == "\\\(digest(body))  a\\\\b\\nc.zip\n")
        let list = try fixture.folder.write(outcome.output, to: "list")
        #expect(try Program.run(["--check", list], folder: fixture.folder.path, program: "sha256sum").code == 0)
    }

    @Test func theSecondTimeTheServerOnlyConfirms() throws {
        let first = try fixture.run("fetch", model)
        let second = try fixture.run("fetch", "--format", "json", model)
        #expect(second.code == 0)
        #expect(try JSONNode(parsing: second.output)["origin"] == "confirmed")
        #expect(server.requests.map { $0["if-none-match"] } == [nil, "\"one\""])
        #expect(server.requests.last?.bodyBytesSent == 0)
        #expect(try fixture.run("fetch", model).text == first.text)
    }

    @Test func offlineNobodyIsAsked() throws {
        let absent = try fixture.run("fetch", "--offline", model)
        #expect(absent.code == 3)
        #expect(absent.text == "")
        #expect(absent.errors.contains("[DOWNLOAD_NOT_IN_CACHE]"))
        #expect(try fixture.run("fetch", model).code == 0)
        let present = try fixture.run("fetch", "--offline", model)
        #expect(present.text == fixture.line(of: body))
        #expect(server.requests.count == 1)
    }

    @Test func refreshFetchesAgain() throws {
        for _ in 0..<2 { #expect(try fixture.run("fetch", "--refresh", model).code == 0) }
        #expect(server.requests.map(\.bodyBytesSent) == [300_000, 300_000])
        #expect(server.requests.allSatisfy { $0["if-none-match"] == nil })
    }

    @Test func aWrongHashLeavesNothing() throws {
        for arguments in [["--sha256", digest(other), model], ["\(model)#sha256=\(digest(other))"]] {
            let outcome = try fixture.run(["fetch"] + arguments)
            #expect(outcome.code == 3)
            #expect(outcome.text == "")
            #expect(outcome.errors.contains("[DOWNLOAD_CHECKSUM_MISMATCH]"))
            #expect(outcome.errors.contains(digest(body)) && outcome.errors.contains(digest(other)))
            #expect(fixture.files("blobs") == [] && fixture.files("partial") == [])
        }
        let right = try fixture.run("fetch", "--sha256", digest(body), "\(model)#sha256=\(digest(body))")
        #expect(right.text == fixture.line(of: body))
    }

    @Test func resultsStandInTheOrderGivenAndOneFailureStopsNoOther() throws {
        let urls = [model, server.url("/none.zip"), server.url("/page.zip"), server.url("/other.zip")]
        let outcome = try fixture.run(["fetch", "--jobs", "4", "--per-host", "4"] + urls)
        #expect(outcome.code == 3)
        #expect(outcome.text == fixture.line(of: body) + fixture.line(of: other))
        for code in ["DOWNLOAD_HTTP_STATUS", "DOWNLOAD_CONTENT_TYPE_MISMATCH"] {
            #expect(outcome.errors.split(separator: "\n").count { $0.contains("[\(code)]") } == 1)
        }
        #expect(outcome.errors.contains("dae: 2 of 4 files, 301 kB, 301 kB of it fetched in "))
        #expect(outcome.errors.hasSuffix(", 2 failed\n"))
        #expect(try fixture.run(["fetch", "--quiet", model, server.url("/other.zip")]).errors == "")
    }

    @Test func jsonFitsItsSchema() throws {
        let schema = try JSONSchema(JSONNode(parsing: Repository.fixture("schema/fetch.schema.json")))
        let urls = [model, server.url("/none.zip"), "file:///etc/hostname", server.url("/other.zip")]
        let outcome = try fixture.run(["fetch", "--format", "json"] + urls)
        let values = try outcome.output.split(separator: UInt8(ascii: "\n")).map { try JSONNode(parsing: Array($0)) }
        #expect(values.map { $0["url"]?.string } == urls)
        for value in values { #expect(schema.violations(in: value) == []) }
        #expect(values.map { $0["failure"]?["code"]?.string } == [nil, "DOWNLOAD_HTTP_STATUS", nil, nil])
        #expect(values.last?["sha256"] == .string(digest(other)))
        for key in ["origin", "failure", "path"] {
            var members = try #require(keys(of: values.first))
            members[key] = 7
            #expect(!schema.violations(in: .object(members)).isEmpty, "\(key)")
            members[key] = nil
            #expect(!schema.violations(in: .object(members)).isEmpty, "\(key)")
        }
    }

    private func keys(of value: JSONNode?) -> [String: JSONNode]? {
        if case .object(let members)? = value { members } else { nil }
    }

    // MARK: - Files elsewhere

    @Test func theFileIsPutWhereItIsWanted() throws {
        let line = "\(digest(body))  "
        #expect(try fixture.run("fetch", "-o", "here.zip", model).text == line + "here.zip\n")
        #expect(try fixture.run("fetch", "-o", "new/", model).text == line + "new/model.zip\n")
        #expect(try fixture.run("fetch", "-o", "new", model, server.url("/other.zip")).code == 0)
        for name in ["here.zip", "new/model.zip"] {
            #expect(try Repository.bytes(at: "\(fixture.folder.path)/\(name)") == body)
        }
        #expect(try Repository.bytes(at: "\(fixture.folder.path)/new/other.zip") == other)
        let bytes = try fixture.run("fetch", "-o", "-", model)
        #expect(bytes.output == body)
        #expect(bytes.errors == "")
    }

    @Test func otherFilesAreLeftAloneUnlessForced() throws {
        let file = try fixture.folder.write("mine", to: "model.zip")
        let refused = try fixture.run("fetch", "-o", "model.zip", model)
        #expect(refused.code == 73)
        #expect(refused.text == fixture.line(of: body))
        #expect(refused.errors.contains("model.zip: a file with other bytes is there; --force replaces it"))
        #expect(try Repository.bytes(at: file) == Array("mine".utf8))
        #expect(try fixture.run("fetch", "-o", "model.zip", "--force", model).code == 0)
        #expect(try Repository.bytes(at: file) == body)
        var before = stat()
        var after = stat()
        #expect(stat(file, &before) == 0)
        #expect(try fixture.run("fetch", "-o", "model.zip", model).code == 0, "the same bytes are no hindrance")
        #expect(stat(file, &after) == 0)
        #expect(before.st_ino == after.st_ino)
    }

    @Test func whereNothingCanBeWrittenIsSaid() throws {
        try fixture.folder.write("", to: "file")
        for target in ["none/model.zip", "none/deeper/", "file/", "/proc/self/"] {
            let outcome = try fixture.run("fetch", "-o", target, model)
            #expect(outcome.code == 73, "\(target): \(outcome.errors)")
            #expect(outcome.errors.hasPrefix("dae: \(target)"), "\(outcome.errors)")
        }
    }

    @Test func aDamagedFileOfTheCacheIsNotPassedOn() throws {
        let place = String(try fixture.run("fetch", model).text.dropFirst(66).dropLast())
        var damaged = body
        damaged[1000] ^= 1
        try fixture.folder.write(damaged, to: "cache/" + place.dropFirst(fixture.cache.count + 1))
        let outcome = try fixture.run("fetch", "-o", "model.zip", model)
        #expect(outcome.code == 73)
        #expect(outcome.errors.contains("is damaged; dae cache verify removes it"))
        #expect(access(fixture.folder.path + "/model.zip", F_OK) != 0)
        #expect(try fixture.run("cache", "verify").code == 1)
        #expect(try fixture.run("fetch", "-o", "model.zip", model).code == 0)
    }

    // MARK: - Secrets and servers

    @Test func secretsAreSentAndNeverTold() throws {
        let netrc = try fixture.folder.write("machine 127.0.0.1 login me password secret-4\n", to: "netrc")
        let private_ = server.url("/private.zip")
        let runs: [[String]] = [
            ["--header", "X-Key: secret-1", model], ["-H", "Cookie: secret-2", private_],
            [model.replacing("://", with: "://me:secret-3@")], [private_.replacing("://", with: "://me:secret-3@")],
            ["--netrc-file", netrc, model], ["--netrc-file", netrc, private_],
        ]
        for arguments in runs {
            for format in ["text", "json"] {
                let outcome = try fixture.run(["fetch", "--verbose", "--format", format] + arguments)
                #expect(!(outcome.text + outcome.errors).contains("secret"), "\(arguments)")
            }
        }
        let token = ["DAE_BEARER_TOKEN": "secret-5"]
        #expect(try !fixture.run("fetch", "-v", model, adding: token).errors.contains("secret"))
        #expect(try fixture.run("fetch", "-v", private_, adding: token).errors.contains("DAE_BEARER_TOKEN"))
        let broken = try fixture.run("fetch", model, adding: ["DAE_BEARER_TOKEN": "secret\n6"])
        #expect(broken.code == 64)
        #expect(!broken.errors.contains("secret"))
        #expect(!(try fixture.run("cache", "ls").text).contains("secret"))
        let sent = server.requests.map { [$0["x-key"], $0["cookie"], $0["authorization"]].compactMap(\.self) }
        let (password, looked) = ("Basic bWU6c2VjcmV0LTM=", "Basic bWU6c2VjcmV0LTQ=")
        for value in ["secret-1", "secret-2", password, looked, "Bearer secret-5"] {
            #expect(sent.count { $0 == [value] } >= 2 || value.hasPrefix("Bearer"), "\(value): \(sent)")
            #expect(sent.contains([value]))
        }
    }

    @Test func thePersonsOwnNetrcIsReadOnRequestOnly() throws {
        try fixture.folder.write("machine 127.0.0.1 login me password secret-4\n", to: ".netrc")
        #expect(try fixture.run("fetch", model).code == 0)
        #expect(try fixture.run("fetch", "--netrc", model).code == 0)
        #expect(server.requests.map { $0["authorization"] } == [nil, "Basic bWU6c2VjcmV0LTQ="])
    }

    @Test func whatMakesNoSenseAsksNobody() throws {
        let digits = digest(body)
        for (arguments, word) in [
            ([], "Missing expected argument"), (["model.zip"], "is no address"), (["ftp://h/x"], "is no address"),
            (["--jobs", "0", model], "--jobs is 0"), (["--per-host", "257", model], "--per-host is 257"),
            (["--sha256", "12", model], "expected 64"), (["--sha256", digits, model, model], "for one address"),
            (["-o", "file", model, model], "expected a folder"),
            (["-o", "-", "--format", "json", model], "--output -"),
            (["--offline", "--refresh", model], "contradict"), (["-H", "nonsense", model], "no proper name"),
            (["-H", "Host: other", model], "is set by the download"), (["--cacert", "none", model], "cannot be read"),
            (["--netrc-file", "none", model], "cannot be read"),
        ] {
            let outcome = try fixture.run(["fetch"] + arguments)
            #expect(outcome.code == 64, "\(arguments)")
            #expect(outcome.errors.contains(word), "\(outcome.errors)")
            #expect(outcome.text == "")
        }
        #expect(try fixture.run("fetch", model, adding: ["DAE_CACHE_LIMIT": "much"]).code == 64)
        // A digest that nobody looks at is told before anybody believes in it.
        for command in [["inspect"], ["ls"], ["resolve"], ["cat"], ["unpack", "-d", "out"]] {
            let outcome = try fixture.run(command + ["--sha256", digits, Repository.fixtures + "/bundles/walker.zip"])
            #expect(outcome.code == 64 && outcome.errors.contains("is for what is downloaded"), "\(outcome.errors)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test func aReaderThatHasGoneEndsTheRun() throws {
        let gate = FaultGate()
        server.serve(FaultResource(other), at: "/held.zip")
        server.play([.silence(until: gate)], at: "/held.zip")
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        close(ends[0])
        let child = try ChildProcess.start(
            "bash", ["-c", "exec \"$0\" fetch --quiet \"$@\"", Program.path, model, server.url("/held.zip")],
            descriptors: [(ends[1], 1)], environment: fixture.environment.map { "\($0.key)=\($0.value)" })
        close(ends[1])
        // The gate was never opened, so nothing was waited for that nobody reads.
        #expect(ChildProcess.wait(for: child) == 141)
    }

    @Test(
        .enabled(if: NginxServer.isInstalled, "nginx is not installed (Debian: nginx-light)"),
        .enabled(if: NginxServer.hasOpenSSL, "openssl's command line is not installed"))
    func aServerIsTrustedByItsAuthority() throws {
        let certificate = try Certificate(in: fixture.folder, names: "IP:127.0.0.1")
        let nginx = try NginxServer(files: ["model.zip": body], certificate: certificate)
        let url = nginx.url("/model.zip", scheme: "https")
        let refused = try fixture.run("fetch", url)
        #expect(refused.code == 3)
        #expect(refused.errors.contains("[DOWNLOAD_TLS_FAILED]"))
        let trusted = try fixture.run("fetch", "--cacert", certificate.authority, url)
        #expect(trusted.code == 0, "\(trusted.errors)")
        #expect(trusted.text == fixture.line(of: body))
        #expect(try fixture.run("fetch", "--cacert", certificate.authority, url).text == trusted.text)
    }
}
