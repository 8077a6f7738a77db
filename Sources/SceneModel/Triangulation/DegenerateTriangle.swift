extension SIMD3<Double> {
    @inline(__always)
    var largest: Double { Swift.max(abs(x), abs(y), abs(z)) }
}

/// Whether the triangle is a line or a point but for rounding; also where its numbers are too small to tell, or none.
@inline(__always)
func isDegenerate(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Bool {
    let (ab, ac, bc) = (b - a, c - a, c - b)
    let cross = ab.cross(ac)
    let side = max(ab.dot(ab), ac.dot(ac), bc.dot(bc))
    let reach = side.squareRoot() + max(a.largest, b.largest, c.largest)
    return !(cross.dot(cross) > 0x1p-96 * side * reach * reach)
}
