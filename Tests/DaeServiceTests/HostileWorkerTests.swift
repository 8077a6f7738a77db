import Glibc
import TestSupport
import Testing

/// Somebody took over a worker, and says and leaves what no worker does: its asset fails with a code, and nothing else suffers.
@Suite(
    .serialized, .enabled(if: ReplacedWorker.isPossible, "clang or bash is not installed"),
    .sharedService(end: HostileWorkers.end, start: HostileWorkers.start))
struct HostileWorkerTests {
    private let service: ServiceProcess
    private let folder: TemporaryFolder
    /// Of the asset whose worker is hostile, and the deed's.
    private let name: String
    private let walker: [UInt8]

    init() throws {
        (service, folder) = (try SharedService.present, try SharedService.folder)
        name = "hostile-\(String(UInt64.random(in: 1 << 62 ... .max), radix: 16))"
        walker = try Repository.fixture("bundles/walker.zip")
    }

    /// The asset's bytes, which no other has.
    private var hostile: [UInt8] { walker + Array(name.utf8) }

    /// A state of the first attempt.
    private static func state(_ name: String) throws -> String {
        let text = String(decoding: try Repository.fixture("states/\(name).json"), as: UTF8.self)
        return text.filter { !$0.isWhitespace }
    }

    /// What the asset's worker does.
    private func prepare(_ deed: String) throws { try folder.write(deed, to: "deeds/\(name)") }

    /// Uploads the asset whose worker does that; gives its id.
    private func upload(_ deed: String) throws -> String {
        try prepare(deed)
        return try service.client.upload(hostile, name: name + ".zip")
    }

    /// Another asset becomes ready beside the hostile one, and all that was is as it was.
    private func nothingElseSuffers(_ hostile: String) throws {
        let client = service.client
        let bytes = walker + Array(name.utf8.reversed())
        let well = try client.upload(bytes, name: "walker.zip")
        #expect(try client.outcome(of: well)["state"] == "ready")
        #expect(try client.get("/v1/assets/\(well)/inspect").status == 200)
        #expect(try client.get("/v1/assets/\(well)/original").body == bytes)
        #expect(try client.get("/readyz").status == 200)
        for path in ["inspect", "tree", "files", "thumbnail.png", "model.glb"] {
            let answer = try client.get("/v1/assets/\(hostile)/\(path)")
            // Of what failed there is a report of the failure.
            let isRefused = path == "inspect" ? answer.json?["failure"] != nil : answer.status >= 400
            #expect(isRefused, "\(path): \(answer.status)")
            #expect(!answer.text.contains(folder.path))
        }
        #expect(try Repository.files(below: folder.path + "/data/uploads").isEmpty)
    }

    /// What may be done to it, and what is said of it.
    private func expectFailure(_ id: String, _ code: String, _ words: String) throws {
        let state = try service.client.outcome(of: id)
        #expect(state["state"] == "failed")
        #expect(state["code"]?.string == code)
        #expect(state["message"]?.string?.contains(words) == true, "\(state)")
        #expect(try service.client.get("/v1/assets/\(id)").json?["availableActions"]?.elements == ["retry", "remove"])
    }

    /// The true readings, each of which is there but for what the deed says.
    private static let readings = #"for name in inspect tree files; do echo '{}' > "$folder/$name.json"; done"#

    @Test(arguments: [
        ("says no word", "", "ended by itself with code 0"),
        (
            "says what nobody understands", #"printf 'what?\n{"rule":{}}\n{"state":{}}\n\xff\xfe\n\n[]\n{"made":'"#,
            "ended by itself"
        ),
        ("says a line without an end", "head -c 2000000 /dev/zero | tr '\\0' '['", "ended by itself"),
        ("says 100 MB", "yes '{\"made\":{}}' | head -c 100000000", "said more than a worker has to say"),
        ("complains of 100 MB", "yes hostile | head -c 100000000 >&2", "said more than a worker has to say"),
        (
            "says what is another task's",
            #"echo '{"content":{"name":"a"}}'; echo '{"made":{}}'; echo '{"probed":{"_0":[]}}'"#, "ended by itself"
        ),
    ])
    func whoSaysNothingOfUseFails(_ what: String, _ deed: String, _ words: String) throws {
        let id = try upload(deed)
        try expectFailure(id, "WORKER_LOST", words)
        try nothingElseSuffers(id)
    }

    @Test func statesThatGoBackwardsAreNotTaken() throws {
        let past = try Self.state("downloading").replacing("\"attempt\":1", with: "\"attempt\":0")
        let future = try Self.state("ready").replacing("\"attempt\":1", with: "\"attempt\":7")
        let states = try [
            Self.state("parsing"), Self.state("unzipping"), Self.state("downloading"), past, future,
            Self.state("unzipping"),
        ]
        let id = try upload(states.map { "state '\($0)'" }.joined(separator: "\n"))
        try expectFailure(id, "WORKER_LOST", "ended by itself with code 0")
        let client = try LoopbackClient(port: service.port)
        client.send("GET /v1/assets/\(id)/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\n\r\n")
        var text = ""
        while !text.contains("\"failed\""), case let bytes = client.read(1), !bytes.isEmpty {
            text += String(decoding: bytes, as: UTF8.self)
        }
        let told = text.matches(of: /"state":"([a-z]+)"/).map { String($0.1) }
        #expect(told == ["downloading", "parsing", "failed"])
        #expect(!text.contains("\"attempt\":7"))
        try nothingElseSuffers(id)
    }

    @Test(arguments: ["ready", "ready-without-mesh"]) func whoIsReadyWithoutFilesFails(_ name: String) throws {
        let id = try upload("state '\(Self.state(name))'")
        try expectFailure(id, "WORKER_LOST", "left something else than files")
        try nothingElseSuffers(id)
    }

    /// What stands in the place of a result, and the code that comes of it.
    private static let places = [
        ("a link to the database", #"ln -sfn "$data/daed.sqlite" "$folder/NAME""#, "WORKER_LOST"),
        ("another name of the database", #"ln -f "$data/daed.sqlite" "$folder/NAME""#, "WORKER_LOST"),
        ("a pipe", #"rm -f "$folder/NAME"; mkfifo "$folder/NAME""#, "WORKER_LOST"),
        ("a folder", #"rm -f "$folder/NAME"; mkdir -p "$folder/NAME/a/b""#, "WORKER_LOST"),
        ("a huge file", #"truncate -s 8T "$folder/NAME""#, "STORAGE_FULL"),
    ]

    /// The first of the results is as it should be, and is not taken either.
    @Test(arguments: places) func whatIsNoFileIsNoResult(_ what: String, _ deed: String, _ code: String) throws {
        let deed = deed.replacing("NAME", with: "tree.json")
        let id = try upload("\(Self.readings)\n\(deed)\nstate '\(Self.state("ready"))'")
        try expectFailure(id, code, "")
        try nothingElseSuffers(id)
    }

    @Test(arguments: [("nothing", "", "WORKER_LOST")] + places)
    func whatIsNoFileIsNoContent(_ what: String, _ deed: String, _ code: String) throws {
        let server = try FaultServer(["/\(name).zip": FaultResource(hostile)])
        try prepare(deed.replacing("NAME", with: "content") + "\n" + #"echo '{"content":{"name":"../../hostile"}}'"#)
        let id = try service.client.add(url: server.url("/\(name).zip"))
        try expectFailure(id, code, "")
        #expect(server.requests.isEmpty)
        try nothingElseSuffers(id)
    }

    /// The asset itself is well: what is asked for again is made by a true worker.
    @Test(arguments: [("nothing", "")] + places.map { ($0.0, $0.1) })
    func whatIsNoFileIsNoModel(_ what: String, _ deed: String) throws {
        let client = service.client
        let id = try upload(
            """
            [[ $order == *'"model":'* ]] || work
            \(deed.replacing("NAME", with: "model.glb"))
            echo '{"made":{}}'
            """)
        #expect(try client.outcome(of: id)["state"] == "ready")
        let answer = try client.get("/v1/assets/\(id)/model.glb")
        #expect([503, 507].contains(answer.status), "\(answer.status) \(answer.text)")
        #expect(!answer.text.contains(folder.path))
        #expect(try client.get("/v1/assets/\(id)/inspect").status == 200)
        try prepare("work")
        #expect(try client.get("/v1/assets/\(id)/model.glb").status == 200)
    }
}

/// What their tests share.
private enum HostileWorkers {
    /// A service whose workers do what a file says that is called as their asset is.
    @Sendable static func start(_ folder: TemporaryFolder) throws -> ServiceProcess {
        for name in ["data", "deeds"] where mkdir("\(folder.path)/\(name)", 0o700) != 0 {
            throw NeverCame(what: name)
        }
        let worker = try ReplacedWorker(
            """
            *hostile*)
            data='\(folder.path)/data'
            for deed in '\(folder.path)'/deeds/*; do [[ $order != *"${deed##*/}"* ]] || . "$deed"; done
            exit 0 ;;
            """, in: folder)
        return try ServiceProcess(
            data: folder.path + "/data", ["--allow-addresses", "127.0.0.0/8"], environment: worker.environment)
    }

    @Sendable static func end(_ folder: TemporaryFolder, _ service: ServiceProcess) throws {
        #expect(service.end() == 0)
        let doctor = try ServiceProcess.run(["doctor", "--deep", "--data", folder.path + "/data"])
        #expect(doctor.text.hasPrefix("Healthy.\n"), "\(doctor.text)")
    }
}
