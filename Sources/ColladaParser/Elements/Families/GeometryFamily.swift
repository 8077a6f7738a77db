extension ElementFamily {
    static let geometry = ElementFamily(
        units: [.geometry],
        texts: [.angle, .direction, .focal, .orient, .origin],
        integers: [.p, .h, .v, .vcount])
}
