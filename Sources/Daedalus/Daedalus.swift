// What a user of the library needs, under one name.

@_exported public import Archive
@_exported public import AssetPipeline
@_exported public import AssetServiceClient
@_exported public import BundleManifest
@_exported public import ByteSource
@_exported public import ColladaParser
@_exported public import ContentHash
@_exported public import Diagnostics
@_exported public import Download
@_exported public import ImageProbe
@_exported public import Inspection
@_exported public import Reporting
@_exported public import ResourceLocator
@_exported public import SceneExport
@_exported public import SceneModel
@_exported public import StageBench
