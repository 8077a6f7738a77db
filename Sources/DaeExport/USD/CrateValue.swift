/// A value of a field: itself where it is short, else the place in the file where it stands.
///
/// - Source: OpenUSD, pxr/usd/sdf/crateFile.h and crateDataTypes.h.
struct CrateValue: Hashable {
    enum Kind: UInt64 {
        case bool = 1
        case int = 3
        case half = 7
        case float = 8
        case double = 9
        case string = 10
        case token = 11
        case asset = 12
        case matrix4d = 15
        case quatf = 17
        case float2 = 20
        case double3 = 23
        case float3 = 24
        case half3 = 25
        case float4 = 28
        case dictionary = 31
        case tokenListOp = 32
        case pathListOp = 34
        case tokenVector = 41
        case specifier = 42
        case variability = 44
        case timeSamples = 46
        case doubleVector = 48

        /// What an element of a list of them starts at a multiple of, and the bytes that it has.
        var size: Int {
            switch self {
            case .bool: 1
            case .half: 2
            case .int, .float, .string, .token, .asset, .specifier, .variability: 4
            case .half3: 6
            case .double, .float2, .doubleVector, .dictionary, .tokenListOp, .pathListOp, .tokenVector, .timeSamples: 8
            case .float3: 12
            case .quatf, .float4: 16
            case .double3: 24
            case .matrix4d: 128
            }
        }
    }

    let bits: UInt64

    private static let (isList, isInlined, isPacked): (UInt64, UInt64, UInt64) = (1 << 63, 1 << 62, 1 << 61)

    private init(_ kind: Kind, _ payload: UInt64, _ flags: UInt64) {
        bits = flags | kind.rawValue << 48 | payload & (1 << 48 - 1)
    }

    /// One that stands in the field itself.
    init(_ kind: Kind, inlined payload: UInt32) { self.init(kind, UInt64(payload), Self.isInlined) }

    /// One that stands in the file, or 0 for a list of nothing.
    init(_ kind: Kind, at offset: Int, isList: Bool = false, isPacked: Bool = false) {
        self.init(
            kind, UInt64(truncatingIfNeeded: offset), (isList ? Self.isList : 0) | (isPacked ? Self.isPacked : 0))
    }

    init(_ value: Bool) { self.init(.bool, inlined: value ? 1 : 0) }
    init(_ value: Int32) { self.init(.int, inlined: UInt32(bitPattern: value)) }
    init(_ value: Float) { self.init(.float, inlined: value.bitPattern) }

    static let uniform = CrateValue(.variability, inlined: 1)
}

extension Float {
    /// The nearest number of 16 bits, as IEEE 754 writes it; what is too large for one is infinite.
    var halfBits: UInt16 {
        let sign = UInt16(truncatingIfNeeded: bitPattern >> 16) & 0x8000
        let size = magnitude
        // Below the least number with all bits, steps are of one size.
        if size < 0x1p-14 { return sign | UInt16((size * 0x1p24).rounded(.toNearestOrEven)) }
        guard size < 65520 else { return sign | 0x7C00 }
        let bits = size.bitPattern
        let rounded = bits &+ 0xFFF &+ (bits >> 13 & 1)
        return sign | UInt16(truncatingIfNeeded: (rounded >> 13) &- (112 << 10))
    }

    /// As it comes back from 16 bits.
    var roundedToHalf: Float {
        let bits = UInt32(halfBits)
        let fraction = bits & 0x3FF
        let size: Float =
            switch bits >> 10 & 0x1F {
            case 0: Float(fraction) * 0x1p-24
            case 31: .infinity
            case let exponent: Float(bitPattern: (exponent + 112) << 23 | fraction << 13)
            }
        return sign == .minus ? -size : size
    }

    /// Whether 16 bits hold it but for rounding.
    var isNearHalf: Bool { abs(roundedToHalf - self) <= abs(self) * 1e-6 }
}
