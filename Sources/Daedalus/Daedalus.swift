@_exported public import Diagnostics
