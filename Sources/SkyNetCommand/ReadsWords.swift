package import ArgumentParser

/// A command that reads the words of its command line itself, for they are those of another program. The parser has its
/// help.
package protocol ReadsWords: AsyncParsableCommand {
  /// - Parameter words: what follows the command's name.
  init(words: [String])
}
