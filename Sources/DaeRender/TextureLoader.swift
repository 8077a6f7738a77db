import DaeDiagnostics
import DaeImages
import DaeScene

/// Gets the textures of a picture, each image once.
struct TextureLoader {
    private let images: Renderer.Images
    private let scene: Scene
    /// Pixels that are left.
    private var left: Int
    /// By image, into ``textures``; `nil` for one that cannot be had, of which a finding says why.
    private(set) var known: [SceneIndex<Image>: Int?] = [:]
    private(set) var textures: [TextureImage] = []
    private(set) var findings: [Finding] = []

    init(images: @escaping Renderer.Images, scene: Scene, limit: Int) {
        self.images = images
        self.scene = scene
        left = limit
    }

    mutating func load(_ index: SceneIndex<Image>) {
        guard known[index] == nil, scene.images.indices.contains(index.value) else { return }
        known[index] = .some(made(index))
    }

    private mutating func made(_ index: SceneIndex<Image>) -> Int? {
        let image = scene.images[index]
        let name = image.id ?? image.name ?? "\(index.value)"
        switch images(index) {
        case .success(let decoded):
            let pixels = decoded.width * decoded.height
            guard pixels <= left else {
                findings.append(
                    Finding(
                        .imageTooLarge,
                        "The image \(name) has \(pixels) pixels, where \(left) are left of what a picture's textures may have; its material is drawn without it."
                    ))
                return nil
            }
            left -= pixels
            textures.append(TextureImage(width: decoded.width, height: decoded.height, bytes: decoded.rgba))
            return textures.count - 1
        case .failure(let failure):
            findings.append(
                Finding(
                    failure.code,
                    "The image \(name) is not shown: \(failure.message); its material is drawn without it."))
            return nil
        }
    }
}
