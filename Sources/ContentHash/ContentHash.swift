/// Stands in for the module until its first file is there.
enum Placeholder {}
