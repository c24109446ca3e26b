import SkyFiles

/// Words of the command line that are not UTF-8. A text has U+FFFD for their bytes, and so would lead to another file,
/// or tell a program something else.
package enum OddWord {
  /// Why a command line is wrong that has such words; `nil` if it is not. Names of inputs, of which there may be many,
  /// are left to the command: a file that is not found costs itself.
  ///
  /// - Parameters:
  ///   - inputs: the options whose values are names of inputs.
  ///   - isUTF8: whether all words are.
  package static func fault(
    in arguments: [String], inputs: [String], isUTF8: Bool = OddName.isCommandLineUTF8
  ) -> String? {
    guard !isUTF8 else { return nil }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let odd = arguments.indices.first { place in
      guard OddName.isOne(arguments[place]) else { return false }
      let word = place > end ? "--" : arguments[place].hasPrefix("-") ? arguments[place] : nil
      let option = word ?? (place > 0 ? arguments[place - 1] : "")
      return option.hasPrefix("-")
        && !inputs.contains { option == $0 || option.hasPrefix($0 + "=") }
    }
    return odd.map {
      "\(ShellWord.quoted(arguments[$0])) is not UTF-8, and cannot be used as it is: rename the file that it names"
    }
  }
}
