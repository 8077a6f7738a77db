import DaeExport
import DaeMesh
import TestSupport
import Testing

@Suite struct EveryKindOfNumberTests {
    @Test func nodesMayStandAtEveryKindOfNumber() throws {
        let numbers = EveryKindOfNumber.powers + EveryKindOfNumber.limits
        var document = SmallDocument()
        document.nodes = numbers.map { number in
            """
            <node><matrix>1 0 0 \(number) 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#square"/></node>
            """
        }.joined()
        let file = try #require(try Conversion(document.bytes).checker.file)
        let places = file.list("nodes").map { $0["matrix"].map { $0.numbers[12] } ?? 0 }
        #expect(places == numbers)
    }

    @Test(arguments: EveryKindOfNumber.none)
    func aNumberThatIsNoneLeavesAFileThatCanBeRead(number: Double) throws {
        var document = SmallDocument()
        document.nodes = """
            <node><translate>\(number) 0 0</translate><instance_geometry url="#square"/></node>
            <node><matrix>1 0 0 0 0 \(number) 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#square"/></node>
            """
        #expect(try Conversion(document.bytes).checker.file != nil)
    }

    @Test func pointsMayHaveEveryKindOfNumber() throws {
        let numbers = EveryKindOfNumber.all
        let places: [Double] = numbers.flatMap { (number: Double) -> [Double] in [number, 0, 1] }
        var document = SmallDocument()
        let corners = (0..<numbers.count - 2).map { "\($0) \($0 + 1) \($0 + 2)" }.joined(separator: " ")
        document.geometries = """
            <geometry id="square"><mesh>\(SmallDocument.source("p", places, "XYZ"))
            <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
            <triangles count="\(numbers.count - 2)"><input semantic="VERTEX" source="#v" offset="0"/>
            <p>\(corners)</p></triangles></mesh></geometry>
            """
        let checker = try Conversion(document.bytes).checker
        #expect(checker.file != nil)
        #expect(checker.faults.isEmpty, "\(checker.faults.prefix(5))")
    }
}
