import TestSupport
import Testing

@testable import DaeRender

/// Several pictures on one sheet.
@Suite struct ContactSheetTests {
    private func picture(_ side: Int, _ color: [UInt8]) -> RenderedPicture {
        RenderedPicture(
            width: side, height: side, pixels: Array(repeating: color, count: side * side).flatMap(\.self), camera: "",
            findings: [], faces: 0)
    }

    /// Pixels of a colour.
    private func count(_ color: [UInt8], in sheet: ContactSheet) -> Int {
        stride(from: 0, to: sheet.pixels.count, by: 4).count { Array(sheet.pixels[$0..<$0 + 4]) == color }
    }

    @Test func eachPictureIsThereOnce() throws {
        var sheet = try #require(ContactSheet(count: 5, width: 32, height: 32))
        let colors: [[UInt8]] = (0..<5).map { [UInt8(40 * $0), 200, 10, 255] }
        for (index, color) in colors.enumerated() { sheet.place(picture(32, color), caption: "", at: index) }
        for color in colors { #expect(count(color, in: sheet) == 32 * 32) }
        #expect(sheet.pixels.count == sheet.width * sheet.height * 4)
    }

    @Test func captionsStayUnderTheirPicture() throws {
        let ink: [UInt8] = [222, 222, 222, 255]
        var sheet = try #require(ContactSheet(count: 1, width: 64, height: 16))
        #expect(count(ink, in: sheet) == 0)
        // I has three pixels at its top and bottom, and five between.
        sheet.place(nil, caption: "I", at: 0)
        #expect(count(ink, in: sheet) == 11)
        var long = try #require(ContactSheet(count: 1, width: 64, height: 16))
        long.place(nil, caption: String(repeating: "I", count: 1000), at: 0)
        // Nine letters, and three points for the others.
        #expect(count(ink, in: long) == 9 * 11 + 3)
    }

    @Test func whatIsOutsideIsLeftOut() throws {
        var sheet = try #require(ContactSheet(count: 1, width: 16, height: 16))
        let before = sheet.pixels
        sheet.place(picture(16, [1, 2, 3, 255]), caption: "a", at: 1000)
        sheet.place(picture(8, [1, 2, 3, 255]), caption: "", at: 0)
        #expect(sheet.pixels == before)
    }

    @Test(arguments: [(0, 1, 1), (1, 8192, 16384), (101, 1000, 1000), (Int.max, 1, 1)])
    func aSheetThatIsTooLargeIsNone(count: Int, width: Int, height: Int) {
        #expect(!ContactSheet.fits(count, width: width, height: height))
        #expect(ContactSheet(count: count, width: width, height: height) == nil)
    }
}
