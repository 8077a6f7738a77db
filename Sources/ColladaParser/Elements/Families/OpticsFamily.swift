extension ElementFamily {
    static let optics = ElementFamily(
        units: [.camera, .light],
        texts: [
            .xfov, .yfov, .xmag, .ymag, .aspectRatio, .znear, .zfar, .constantAttenuation, .linearAttenuation,
            .quadraticAttenuation, .falloffAngle, .falloffExponent,
        ],
        skipped: [.imager])
}
