/// What this is a version of: the library, its programs and what they write all have the same.
package enum Version {
    /// By the rules of semantic versions, as a tag has it; `CHANGELOG.md` says what each brought.
    package static let current = "0.2.0"
}
