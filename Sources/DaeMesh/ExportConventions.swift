import DaeCore

/// What formats have differently from each other: what is prepared for one is as it has it.
package struct ExportConventions {
    /// The corner of an image at which texture coordinates are 0.
    package enum ImageOrigin {
        /// As in COLLADA.
        case bottomLeft
        case topLeft
    }
    /// What the numbers of vertex colours stand for.
    package enum Colors {
        /// What a display is given, as in COLLADA.
        case display
        /// Amounts of light.
        case linear
    }
    /// How tracks go from key to key, beside straight lines and steps.
    package enum Curves {
        /// By cubics that have a slope on both sides of each key.
        case cubic
        /// In no other way.
        case none
    }
    let imageOrigin: ImageOrigin
    let colors: Colors
    let curves: Curves

    package init(imageOrigin: ImageOrigin, colors: Colors, curves: Curves) {
        self.imageOrigin = imageOrigin
        self.colors = colors
        self.curves = curves
    }

    /// A texture coordinate that counts from the bottom up.
    @inline(__always)
    func height(_ v: Double) -> Double {
        switch imageOrigin {
        case .bottomLeft: v
        case .topLeft: 1 - v
        }
    }

    /// The difference of two such.
    @inline(__always)
    func rise(_ v: Double) -> Double {
        switch imageOrigin {
        case .bottomLeft: v
        case .topLeft: -v
        }
    }

    /// A colour that a display was given, within 0 to 1.
    @inline(__always)
    func color(_ color: SIMD4<Double>) -> SIMD4<Double> {
        switch colors {
        case .display: color
        case .linear: SIMD4(color.x.linearFromSRGB, color.y.linearFromSRGB, color.z.linearFromSRGB, color.w)
        }
    }
}

extension Double {
    /// What a display makes of a colour that was picked on one. Documents have the colours that their authors saw.
    ///
    /// - Source: IEC 61966-2-1 (sRGB).
    package var linearFromSRGB: Double {
        self <= 0.04045 ? self / 12.92 : pow((self + 0.055) / 1.055, 2.4)
    }
}
