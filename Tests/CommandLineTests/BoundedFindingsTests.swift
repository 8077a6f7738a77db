import TestSupport
import Testing

/// A document of a million faults is told in full numbers, and costs no more memory than one of a hundred.
@Suite struct BoundedFindingsTests {
    private static let badNumbers = 800_000
    private static let twins = 100_000
    private static let lostInstances = 100_000
    /// Runs what it is given and says the peak of its memory, in KiB, on the last line.
    private static let measured = """
        import resource, subprocess, sys
        sys.stdout.buffer.write(subprocess.run(sys.argv[1:], stdout=subprocess.PIPE).stdout.strip() + b"\\n")
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        """

    private func document() -> String {
        let numbers = String(repeating: "x ", count: Self.badNumbers)
        let nodes = String(repeating: "<node id=\"twin\"/>\n", count: Self.twins + 1)
        let instances = String(repeating: "<instance_geometry url=\"#lost\"/>\n", count: Self.lostInstances)
        return """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
            <asset><created>2026-01-01T00:00:00Z</created><modified>2026-01-01T00:00:00Z</modified></asset>
            <library_geometries><geometry id="g"><mesh><source id="s">
            <float_array id="a" count="\(Self.badNumbers)">\(numbers)</float_array>
            </source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices></mesh></geometry>
            </library_geometries>
            <library_visual_scenes><visual_scene id="w">\(nodes)<node id="n">\(instances)</node></visual_scene>
            </library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>
            """
    }

    @Test(.enabled(if: Program.isInstalled("python3"), "python3 is not installed"))
    func aMillionFaultsAreCountedAndFewAreKept() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(document(), to: "million.dae")
        let command = [Program.path, "validate", "--quiet", "--no-config", "--jsonl", "--format", "json", path]
        let outcome = try Program.run(["-c", Self.measured] + command, program: "python3")
        let lines = outcome.output.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 2)
        let findings = try JSONNode(parsing: Array(try #require(lines.first)))["findings"]
        let faults = Self.badNumbers + Self.twins + Self.lostInstances
        #expect((findings?["errors"]?.number ?? 0) >= Double(faults))
        let kept = findings?["messages"]?.elements.count ?? .max
        #expect(kept < 1000, "\(kept) are kept")
        let peak = try #require(lines.last.flatMap { Int(String(decoding: $0, as: UTF8.self)) })
        #expect(peak < 200 << 10, "the peak is \(peak) KiB")
    }
}
