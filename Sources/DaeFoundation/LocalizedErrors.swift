public import DaeDiagnostics
public import DaeDownload
public import DaeMesh
public import DaeRender
public import DaeServiceClient

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// A module of its own, since nothing that `dae` is made of imports Foundation. Who takes the product `Daedalus` has it
// without importing it.

extension LocalizedError where Self: CustomStringConvertible {
    /// What is wrong, where, and what was expected: the error's own description.
    public var errorDescription: String? { description }
}

extension CodedFailure: LocalizedError {}
extension DownloadError: LocalizedError {}
extension SceneExportError: LocalizedError {}
extension AssetServiceError: LocalizedError {}
extension RenderError: LocalizedError {}
extension NetworkRuleError: LocalizedError {}
extension RequestHeaderError: LocalizedError {}
extension ControlError: LocalizedError {}
