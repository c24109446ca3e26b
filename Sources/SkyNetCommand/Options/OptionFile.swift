import Foundation

/// Words of the command line that are options, and names of files here: a shell that replaces `*` by all names makes an
/// option of a file that is called `--help`.
package enum OptionFile {
  /// Why a command line is wrong that has such words; `nil` if it is not.
  ///
  /// - Parameter inputs: the options whose values are names of inputs.
  package static func fault(in arguments: [String], inputs: [String]) -> String? {
    let words = arguments.prefix { $0 != "--" }
    guard
      let first = words.firstIndex(where: { word in
        inputs.contains { word == $0 || word.hasPrefix($0 + "=") }
      }),
      let word = words[first...].dropFirst().first(where: {
        $0.hasPrefix("-") && $0 != "-" && !inputs.contains($0) && access($0, F_OK) == 0
      })
    else { return nil }
    let name = ShellWord.quoted("./" + word)
    return
      "\(word) is an option and the name of a file here, and may stand for either: give inputs as ./*, which names that file "
      + "\(name), or rename the file"
  }
}
