// What a user of the library needs, under one name.

@_exported public import DaeArchive
@_exported public import DaeCollada
@_exported public import DaeDiagnostics
@_exported public import DaeDownload
@_exported public import DaeExport
@_exported public import DaeImages
@_exported public import DaeMesh
@_exported public import DaePipeline
@_exported public import DaeRender
@_exported public import DaeResources
@_exported public import DaeScene
@_exported public import DaeServiceClient
@_exported public import DaeXML
