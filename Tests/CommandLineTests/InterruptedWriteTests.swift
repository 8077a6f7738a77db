// Signals at many moments of the work: one, which lets the work tidy up, and two, which end the program at once. The moments
// are parts of the CPU time that the whole work takes, so that they come in time on a busy machine, too.

import Glibc
import TestSupport
import Testing

/// What writes files and is stopped leaves none that is unfinished.
@Suite(.timeLimit(.minutes(20))) struct InterruptedWriteTests {
    private let folder: TemporaryFolder
    private var output: String { folder.path + "/out" }

    init() throws {
        folder = try TemporaryFolder()
        try #require(mkdir(folder.path + "/out", 0o755) == 0)
    }

    private static let numbers = (0..<30_000).map { "\($0 % 97).25" }.joined(separator: " ")

    /// Meshes of 10,000 positions.
    private static func document(meshes: Int) -> String {
        let corners = (0..<9999).map(String.init).joined(separator: " ")
        let geometries = (0..<meshes).map { index in
            """
            <geometry id="g\(index)"><mesh><source id="p\(index)"><float_array id="a\(index)" count="30000">\(numbers)\
            </float_array><technique_common><accessor source="#a\(index)" count="10000" stride="3"><param name="X" \
            type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common>\
            </source><vertices id="v\(index)"><input semantic="POSITION" source="#p\(index)"/></vertices><triangles \
            count="3333"><input semantic="VERTEX" source="#v\(index)" offset="0"/><p>\(corners)</p></triangles></mesh>\
            </geometry>

            """
        }
        let nodes = (0..<meshes).map { "<node><instance_geometry url=\"#g\($0)\"/></node>\n" }
        return """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>\
            <library_geometries>\(geometries.joined())</library_geometries><library_visual_scenes><visual_scene id="s">\
            \(nodes.joined())</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
            """
    }

    private static func archive() -> [UInt8] {
        var zip = ZipBuilder()
        for index in 0..<1500 {
            zip.add("\(index % 100)/\(index).bin", [UInt8](repeating: UInt8(index & 255), count: 10_000))
        }
        return zip.bytes()
    }

    enum Work: String, CaseIterable, Sendable {
        case convert, convertText, unpack, fetch

        var arguments: [String] {
            switch self {
            case .convert: ["convert", "-q", "in.dae", "-o", "out/a.glb"]
            case .convertText: ["convert", "-q", "in.dae", "-o", "out/a.gltf"]
            case .unpack: ["unpack", "-q", "in.zip", "-d", "out/in"]
            case .fetch: ["fetch", "-q", "file://in.zip", "-o", "out/a.zip"]
            }
        }

        /// What is there when the work was done before the signal came.
        var results: Set<String> {
            switch self {
            case .convert: ["a.glb"]
            case .convertText: ["a.gltf", "a.bin"]
            case .unpack: ["in"]
            case .fetch: ["a.zip"]
            }
        }
    }

    private static let attempts = 16

    @Test(arguments: Work.allCases) func noUnfinishedFileSurvivesASignal(_ work: Work) throws {
        switch work {
        case .convert, .convertText: try folder.write(Self.document(meshes: 12), to: "in.dae")
        case .unpack, .fetch: try folder.write(Self.archive(), to: "in.zip")
        }
        let arguments = work.arguments.map { $0 == "file://in.zip" ? "file://\(folder.path)/in.zip" : $0 }
        let undisturbed = try start(arguments)
        var whole = 0.0
        while !hasEnded(undisturbed) {
            whole = cpuSeconds(of: undisturbed) ?? whole
            _ = poll(nil, 0, 1)
        }
        #expect(Program.wait(for: undisturbed) == 0)
        try removeOutput()
        var stopped = 0
        for attempt in 0..<Self.attempts {
            let child = try start(arguments)
            // Of a uniform spread, and never at the very end.
            let moment = whole * (Double(attempt) + 0.5) / Double(Self.attempts + 1)
            while !hasEnded(child), let spent = cpuSeconds(of: child), spent < moment { _ = poll(nil, 0, 1) }
            kill(child, attempt % 2 == 0 ? SIGINT : SIGTERM)
            // Unpacking says what a second one leaves.
            if attempt % 4 >= 2, work != .unpack { kill(child, SIGINT) }
            let code = Program.wait(for: child)
            #expect([0, 130, 143].contains(code), "\(work), attempt \(attempt)")
            if code != 0 { stopped += 1 }
            // All or nothing, and after a signal that came too late all of it as well.
            let left = Set(names)
            #expect(left == work.results || code != 0 && left.isEmpty, "\(work), attempt \(attempt): \(left)")
            try removeOutput()
        }
        #expect(stopped > 0, "no signal came in time")
    }

    /// What lies in the folder that is written to.
    private var names: [String] {
        guard let handle = opendir(output) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private func removeOutput() throws {
        for name in names { _ = try Program.run(["-rf", output + "/" + name], program: "rm") }
    }

    private func start(_ arguments: [String]) throws -> pid_t {
        try Program.start(arguments, environment: ["DAE_CACHE": folder.path + "/cache"], folder: folder.path)
    }

    /// What a program has used so far, all its threads together; nil when there is no such program.
    private func cpuSeconds(of child: pid_t) -> Double? {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(child, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func hasEnded(_ child: pid_t) -> Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0
            || info._sifields._sigchld.si_pid == child
    }
}
