import ContentHash

struct KeptBytes: Sendable, Hashable { var validators: Validators; var bytes: Int64; var total: Int64? }
struct CacheReference: Sendable, Hashable {
    var url: String; var finalURL: String; var sha256: SHA256Digest; var size: Int64
    var contentType: String?; var suggestedName: String; var validators: Validators; var storedAt: Int64;
    var freshUntil: Int64?
}
