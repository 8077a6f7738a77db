import Glibc
import TestSupport
import Testing

/// Somebody took over a worker, and says and leaves what no worker does: its asset fails with a code, and nothing else suffers.
@Suite(.enabled(if: ReplacedWorker.isPossible, "clang or bash is not installed")) struct HostileWorkerTests {
    private let folder: TemporaryFolder
    /// Of the service.
    private let data: String
    private let walker: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path + "/data"
        guard mkdir(data, 0o700) == 0 else { throw NeverCame(what: data) }
        walker = try Repository.fixture("bundles/walker.zip")
    }

    /// A state of the first attempt.
    private static func state(_ name: String) throws -> String {
        let text = String(decoding: try Repository.fixture("states/\(name).json"), as: UTF8.self)
        return text.filter { !$0.isWhitespace }
    }

    /// A service whose workers do as is said where their order names what is hostile.
    private func service(_ deed: String, _ options: [String] = []) throws -> ServiceProcess {
        let worker = try ReplacedWorker(
            """
            *hostile*)
            data='\(data)'
            \(deed)
            exit 0 ;;
            """, in: folder)
        return try ServiceProcess(
            data: data, ["--allow-addresses", "127.0.0.0/8"] + options, environment: worker.environment)
    }

    /// Another asset becomes ready beside the hostile one, and all that was is as it was.
    private func nothingElseSuffers(_ service: ServiceProcess, _ hostile: String) throws {
        let client = service.client
        let well = try client.upload(walker, name: "walker.zip")
        #expect(try client.outcome(of: well)["state"] == "ready")
        #expect(try client.get("/v1/assets/\(well)/inspect").status == 200)
        #expect(try client.get("/v1/assets/\(well)/original").body == walker)
        #expect(try client.get("/readyz").status == 200)
        for path in ["inspect", "tree", "files", "thumbnail.png", "model.glb"] {
            let answer = try client.get("/v1/assets/\(hostile)/\(path)")
            // Of what failed there is a report of the failure.
            let isRefused = path == "inspect" ? answer.json?["failure"] != nil : answer.status >= 400
            #expect(isRefused, "\(path): \(answer.status)")
            #expect(!answer.text.contains(folder.path))
        }
        #expect(try Repository.files(below: data + "/uploads").isEmpty)
        #expect(service.end() == 0)
        let doctor = try ServiceProcess.run(["doctor", "--deep", "--data", data])
        #expect(doctor.text.hasPrefix("Healthy.\n"), "\(doctor.text)")
    }

    /// What may be done to it, and what is said of it.
    private func expectFailure(_ service: ServiceProcess, _ id: String, _ code: String, _ words: String) throws {
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
        let service = try service(deed)
        let id = try service.client.upload(walker + [1], name: "hostile.zip")
        try expectFailure(service, id, "WORKER_LOST", words)
        try nothingElseSuffers(service, id)
    }

    @Test func statesThatGoBackwardsAreNotTaken() throws {
        let past = try Self.state("downloading").replacing("\"attempt\":1", with: "\"attempt\":0")
        let future = try Self.state("ready").replacing("\"attempt\":1", with: "\"attempt\":7")
        let states = try [
            Self.state("parsing"), Self.state("unzipping"), Self.state("downloading"), past, future,
            Self.state("unzipping"),
        ]
        let service = try service(states.map { "state '\($0)'" }.joined(separator: "\n"))
        let id = try service.client.upload(walker + [1], name: "hostile.zip")
        try expectFailure(service, id, "WORKER_LOST", "ended by itself with code 0")
        let client = try LoopbackClient(port: service.port)
        client.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\n\r\n")
        var text = ""
        while !text.contains("\"failed\""), case let bytes = client.read(1), !bytes.isEmpty {
            text += String(decoding: bytes, as: UTF8.self)
        }
        let told = text.matches(of: /"state":"([a-z]+)"/).map { String($0.1) }
        #expect(told == ["downloading", "parsing", "failed"])
        #expect(!text.contains("\"attempt\":7"))
        try nothingElseSuffers(service, id)
    }

    @Test(arguments: ["ready", "ready-without-mesh"]) func whoIsReadyWithoutFilesFails(_ name: String) throws {
        let service = try service("state '\(Self.state(name))'")
        let id = try service.client.upload(walker + [1], name: "hostile.zip")
        try expectFailure(service, id, "WORKER_LOST", "left something else than files")
        try nothingElseSuffers(service, id)
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
        let service = try service("\(Self.readings)\n\(deed)\nstate '\(Self.state("ready"))'")
        let id = try service.client.upload(walker + [1], name: "hostile.zip")
        try expectFailure(service, id, code, "")
        try nothingElseSuffers(service, id)
    }

    @Test(arguments: [("nothing", "", "WORKER_LOST")] + places)
    func whatIsNoFileIsNoContent(_ what: String, _ deed: String, _ code: String) throws {
        let server = try FaultServer(["/hostile.zip": FaultResource(walker + [1])])
        let deed = deed.replacing("NAME", with: "content")
        let service = try service(#"\#(deed)"# + "\n" + #"echo '{"content":{"name":"../../hostile"}}'"#)
        let id = try service.client.add(url: server.url("/hostile.zip"))
        try expectFailure(service, id, code, "")
        #expect(server.requests.isEmpty)
        try nothingElseSuffers(service, id)
    }

    /// The asset itself is well: what is asked for again is made by a true worker.
    @Test(arguments: [("nothing", "")] + places.map { ($0.0, $0.1) })
    func whatIsNoFileIsNoModel(_ what: String, _ deed: String) throws {
        let worker = try ReplacedWorker(
            """
            *hostile*'"model":'*)
            data='\(data)'
            [[ ! -e $data/../well ]] || work
            \(deed.replacing("NAME", with: "model.glb"))
            echo '{"made":{}}'
            exit 0 ;;
            """, in: folder)
        let service = try ServiceProcess(data: data, environment: worker.environment)
        let client = service.client
        let id = try client.upload(walker, name: "hostile.zip")
        #expect(try client.outcome(of: id)["state"] == "ready")
        let answer = try client.get("/v1/assets/\(id)/model.glb")
        #expect([503, 507].contains(answer.status), "\(answer.status) \(answer.text)")
        #expect(!answer.text.contains(folder.path))
        #expect(try client.get("/v1/assets/\(id)/inspect").status == 200)
        try folder.write("", to: "well")
        #expect(try client.get("/v1/assets/\(id)/model.glb").status == 200)
        #expect(service.end() == 0)
        #expect(try ServiceProcess.run(["doctor", "--deep", "--data", data]).text.hasPrefix("Healthy.\n"))
    }
}
