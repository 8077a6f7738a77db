// Packers write names in the code page of their machine and do not say in which. Only what the archive's documents
// call their files can tell: the page under which such names are found is the one.

import Glibc

/// A code page that names of entries may be written in, beside UTF-8 and code page 437.
enum NamePage: String, CaseIterable {
    case shiftJIS = "CP932"
    case gbk = "GBK"
    case big5 = "BIG5"
    case korean = "CP949"
    case windowsCyrillic = "CP1251"
    case dosCyrillic = "CP866"
    case dosLatin = "CP850"
    case windowsLatin = "CP1252"

    /// For people.
    var title: String {
        switch self {
        case .shiftJIS: "Shift-JIS (code page 932)"
        case .gbk: "GBK (code page 936)"
        case .big5: "Big5 (code page 950)"
        case .korean: "EUC-KR (code page 949)"
        case .windowsCyrillic: "code page 1251"
        case .dosCyrillic: "code page 866"
        case .dosLatin: "code page 850"
        case .windowsLatin: "Latin-1 (code page 1252)"
        }
    }

    /// What documents call it that are written in it themselves.
    var labels: [String] {
        switch self {
        case .shiftJIS: ["shift_jis", "shift-jis", "sjis", "windows-31j", "cp932"]
        case .gbk: ["gbk", "gb2312", "gb18030", "cp936"]
        case .big5: ["big5", "big5-hkscs", "cp950"]
        case .korean: ["euc-kr", "ks_c_5601-1987", "cp949"]
        case .windowsCyrillic: ["windows-1251", "cp1251"]
        case .dosCyrillic: ["ibm866", "cp866"]
        case .dosLatin: ["ibm850", "cp850"]
        case .windowsLatin: ["iso-8859-1", "latin1", "windows-1252", "cp1252"]
        }
    }
}

/// Reads names in a code page. A class because it owns the C library's converter; for one thread.
final class NameDecoder {
    let page: NamePage
    private let converter: iconv_t

    /// `nil` where the machine does not know the code page.
    init?(_ page: NamePage) {
        guard let opened = iconv_open("UTF-8", page.rawValue), Int(bitPattern: opened) != -1 else { return nil }
        self.page = page
        converter = opened
    }

    deinit { iconv_close(converter) }

    /// `nil` where the bytes mean nothing in the code page.
    func decode(_ bytes: some Collection<UInt8>) -> String? {
        iconv(converter, nil, nil, nil, nil)
        var input = bytes.map { CChar(bitPattern: $0) }
        // No character of two bytes takes more than three, and none of one more than three.
        var output = [CChar](repeating: 0, count: 3 * input.count + 1)
        let room = output.count
        let length: Int? = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var (from, to) = (input.baseAddress, output.baseAddress)
                var (fromLeft, toLeft) = (input.count, room)
                return iconv(converter, &from, &fromLeft, &to, &toLeft) == 0 ? room - toLeft : nil
            }
        }
        return length.flatMap { String(validating: output[..<$0].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }
}
