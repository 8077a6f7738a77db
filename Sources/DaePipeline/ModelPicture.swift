package import DaeDiagnostics
import DaeImages
import DaeMesh
public import DaeRender
public import DaeScene

extension Dae.Model {
    /// A picture of the scene, drawn on the processor: the same bytes on every machine.
    ///
    /// Lights and cameras are the document's where it has some, and nothing is black by accident. Ends soon once its task is
    /// cancelled.
    ///
    /// - Parameters:
    ///   - width: Pixels, 1 to 8192.
    ///   - height: Pixels, 1 to 8192.
    ///   - camera: The name or id of a camera, or of a node that shows one; `fit` for a view of all. `nil` for the first
    ///     camera that the scene shows, and `fit` where there is none.
    ///   - time: In seconds; `nil` for the scene at rest.
    /// - Throws: ``RenderError`` for a size or a camera that cannot be; `CancellationError`.
    public func picture(
        width: Int = 512, height: Int = 512, camera: String? = nil, time: Double? = nil
    ) async throws -> RenderedPicture {
        var options = RenderOptions()
        (options.width, options.height, options.time) = (width, height, time)
        options.camera = camera.map { $0 == "fit" ? .fit : .named($0) } ?? .automatic
        let wanted = options
        return try await WorkThread.run { cancellation in try picture(wanted) { cancellation.isCancelled } }
    }

    /// Works on the calling thread, and others, until it is done.
    ///
    /// - Parameter isCancelled: Asked now and then; once it says so there is no picture.
    package func picture(
        _ options: RenderOptions, isCancelled: @escaping () -> Bool = { false }
    ) throws -> RenderedPicture {
        try canvas(options, isCancelled).picture(options, isCancelled)
    }

    /// Views from all around, with the degrees of each below it.
    ///
    /// - Parameter views: How many, which ``ContactSheet/fits(_:width:height:)`` has to allow.
    package func turntable(
        _ options: RenderOptions, views: Int, isCancelled: @escaping () -> Bool = { false }
    ) throws -> (sheet: ContactSheet, findings: [Finding]) {
        guard var sheet = ContactSheet(count: views, width: options.width, height: options.height) else {
            throw RenderError(reason: .failed("a sheet of \(views) such pictures is too large"))
        }
        let canvas = try canvas(options, isCancelled)
        var findings: [Finding] = []
        for view in 0..<views {
            let degrees = 360 * Double(view) / Double(views)
            var options = options
            options.camera = .turned(degrees)
            let picture = try canvas.picture(options, isCancelled)
            sheet.place(picture, caption: "\(Int(degrees.rounded()))°", at: view)
            if view == 0 { findings = picture.findings }
        }
        return (sheet, findings)
    }

    private func canvas(_ options: RenderOptions, _ isCancelled: @escaping () -> Bool) throws -> Canvas {
        let budget = budget(.init())
        let moment = options.time.map { scene.posed(at: $0).scene } ?? scene
        let drawing = try Drawing(
            moment, images: images(budget), options: Renderer.drawingOptions(of: scene, options), budget,
            isCancelled: isCancelled)
        return Canvas(model: self, moment: moment, drawing: drawing)
    }
}

/// A scene at a moment, made ready to be drawn from several sides.
private struct Canvas {
    let model: Dae.Model
    let moment: Dae.Scene
    let drawing: Drawing

    func picture(_ options: RenderOptions, _ isCancelled: @escaping () -> Bool) throws -> RenderedPicture {
        do {
            return try Renderer.picture(
                of: moment, drawing, options: options, images: model.pixels(model.budget(.init())),
                isCancelled: isCancelled)
        } catch {
            if case .stopped = error.reason { throw CancellationError() }
            throw error
        }
    }
}
