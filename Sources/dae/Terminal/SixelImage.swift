import Daedalus

/// A picture in sixels: bands of six rows, each colour of a band by itself.
///
/// - Source: VT330/VT340 Programmer Reference Manual, chapter 14.
struct SixelImage {
    private let picture: RenderedPicture

    init(_ picture: RenderedPicture) { self.picture = picture }

    // Six shades of red and blue and seven of green are as many colours as every terminal has.
    private static let shades = (red: 6, green: 7, blue: 6)
    /// Where in 4 × 4 pixels which is rounded up first, in 16ths.
    private static let thresholds = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

    var text: String {
        let colors = indices
        var text: [UInt8] = Array("\u{1B}Pq\"1;1;\(picture.width);\(picture.height)".utf8)
        for color in Set(colors).sorted() { text += Self.definition(color).utf8 }
        for top in stride(from: 0, to: picture.height, by: 6) {
            let rows = min(6, picture.height - top)
            let band = colors[top * picture.width..<(top + rows) * picture.width]
            for color in Set(band).sorted() {
                text += "#\(color)".utf8
                append(color, band, to: &text)
                text.append(UInt8(ascii: "$"))
            }
            text.append(UInt8(ascii: "-"))
        }
        return String(decoding: text, as: UTF8.self) + "\u{1B}\\"
    }

    /// Of each pixel its colour's number.
    private var indices: [UInt8] {
        var indices: [UInt8] = []
        indices.reserveCapacity(picture.width * picture.height)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let place = (y * picture.width + x) * 4
                let alpha = Int(picture.pixels[place + 3])
                let threshold = Self.thresholds[y % 4 * 4 + x % 4]
                func level(_ lane: Int, _ shades: Int) -> Int {
                    let value = Int(picture.pixels[place + lane]) * alpha / 255 * (shades - 1) * 16
                    return min(shades - 1, (value + threshold * 255) / (255 * 16))
                }
                let (red, green) = (level(0, Self.shades.red), level(1, Self.shades.green))
                let blue = level(2, Self.shades.blue)
                indices.append(UInt8((red * Self.shades.green + green) * Self.shades.blue + blue))
            }
        }
        return indices
    }

    /// A colour's red, green and blue, in hundredths.
    private static func definition(_ color: UInt8) -> String {
        let number = Int(color)
        let blue = number % shades.blue * 100 / (shades.blue - 1)
        let green = number / shades.blue % shades.green * 100 / (shades.green - 1)
        let red = number / shades.blue / shades.green * 100 / (shades.red - 1)
        return "#\(number);2;\(red);\(green);\(blue)"
    }

    /// What of a band has a colour, a character a column; equal ones that follow each other are counted.
    private func append(_ color: UInt8, _ band: ArraySlice<UInt8>, to text: inout [UInt8]) {
        let rows = band.count / picture.width
        var (last, run): (UInt8, Int) = (0, 0)
        func flush(_ text: inout [UInt8]) {
            if run > 3 { text += "!\(run)".utf8 }
            for _ in 0..<(run > 3 ? 1 : run) { text.append(last) }
        }
        for column in 0..<picture.width {
            var sixel: UInt8 = 0
            for row in 0..<rows where band[band.startIndex + row * picture.width + column] == color {
                sixel |= 1 << UInt8(row)
            }
            let character = sixel + 63
            if run > 0, character != last {
                flush(&text)
                run = 0
            }
            (last, run) = (character, run + 1)
        }
        flush(&text)
    }
}
