import Foundation

/// What acts as another account of this machine, which takes root and setpriv.
enum OtherAccount {
  static let setpriv = "/usr/bin/setpriv"

  /// The arguments of ``setpriv`` before a program's.
  static func become(_ account: uid_t) -> [String] {
    ["--reuid=\(account)", "--regid=\(account)", "--clear-groups"]
  }

  /// Whether that account can run the program under test, which may be in a folder that others cannot enter, and whether
  /// these other programs are there.
  static func isPossible(_ account: uid_t, with others: String...) -> Bool {
    guard geteuid() == 0,
      ([setpriv] + others).allSatisfy(FileManager.default.isExecutableFile)
    else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: setpriv)
    process.arguments = become(account) + [Paths.binary, "--version"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
