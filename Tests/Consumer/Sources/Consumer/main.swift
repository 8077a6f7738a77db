import Daedalus

let finding = Finding(.ioError, "cannot be read")
print(finding.code.rawValue, finding.severity)
