import CBuild
import SkyNetCore

/// Which build of the program this is.
enum BuildVersion {
  /// The commit that was built, with a `+` if files were changed since; `nil` if the build was not told.
  static let commit = {
    let commit = String(cString: skynet_build_commit())
    return commit.isEmpty ? nil : commit
  }()

  /// What `skynet --version` prints: `skynet 0.1.0 (protocol 1, commit 9dfd820e04ec)`. Another program says that it is
  /// made with this version.
  static func text(of program: String, commit: String? = commit) -> String {
    (program == "skynet" ? "skynet" : "\(program), with SkyNet")
      + " \(SkyNetVersion.software) (protocol \(SkyNetVersion.wireProtocol)"
      + (commit.map { ", commit \($0)" } ?? "") + ")"
  }
}
