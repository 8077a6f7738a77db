extension ElementFamily {
    static let geometry = ElementFamily(
        units: [.geometry],
        integers: [.p, .h, .v, .vcount],
        skipped: [.spline, .brep])
}
