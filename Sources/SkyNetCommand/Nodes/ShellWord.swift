/// Words of a POSIX shell's command line.
package enum ShellWord {
  /// The word as it has to be typed.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.unicodeScalars.allSatisfy { plain.contains(Character($0)) }
    return isPlain
      ? word
      : "'"
        + word.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''") + "'"
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%")
}
