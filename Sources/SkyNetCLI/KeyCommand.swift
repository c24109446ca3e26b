import ArgumentParser
import Foundation
import SkyNetKeys

struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Show or change the key that makes this account a member.",
    discussion: """
      Machines whose accounts have the same key form one cluster. To let another machine in:

        skynet key show | ssh HOST skynet key import

      Running programs keep the key that they started with: restart them after a change.
      """,
    subcommands: [Show.self, Path.self, Import.self, New.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the key; make one if there is none.",
      discussion:
        "Every machine that has the key is a member. The fingerprint, which is no secret, "
        + "goes to standard error.")

    @OptionGroup var option: KeyFileOption

    func run() throws {
      try orFail {
        let key = try option.source().key(reportingTo: .standardError)
        Console.standardError.line("fingerprint \(key.fingerprint)")
        try StandardOutput.write(line: key.text)
      }
    }
  }

  struct Path: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the key file's path.")

    @OptionGroup var option: KeyFileOption

    func run() throws {
      try orFail { try StandardOutput.write(line: try option.file().path) }
    }
  }

  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take the key from standard input.",
      discussion: "A different key that is in the file is kept as FILE.old.")

    @OptionGroup var option: KeyFileOption

    func run() throws {
      try orFail {
        let file = try option.file()
        if isatty(STDIN_FILENO) == 1 {
          Console.standardError.line("paste the key, then Ctrl-D:")
          Console.standardError.flush()
        }
        // A key is one line; longer input is not a key.
        let input = try FileHandle.standardInput.read(upToCount: 4096) ?? Data()
        try put(try ClusterKey(text: String(decoding: input, as: UTF8.self)), in: file)
      }
    }
  }

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a new key in place of the old one.",
      discussion: "The old key is kept as FILE.old. Give the new one to every machine.")

    @OptionGroup var option: KeyFileOption

    func run() throws {
      try orFail { try put(ClusterKey(), in: try option.file()) }
    }
  }

  private static func put(_ key: ClusterKey, in file: KeyFile) throws {
    let former = try file.replace(with: key)
    Console.standardError.line("\(file.path) holds the key \(key.fingerprint) now")
    if let former { Console.standardError.line("the old key is in \(former.path)") }
    Console.standardError.line("restart the nodes that shall use it")
    Console.standardError.flush()
  }

  private static func orFail(_ body: () throws -> Void) throws {
    do {
      try body()
      Console.standardError.flush()
    } catch {
      throw fail(error)
    }
  }
}

extension KeyFileOption {
  /// - Throws: ``KeyError``, also if the key comes from no file.
  fileprivate func file() throws -> KeyFile {
    guard let file = try source().file else { throw KeyError.noFile }
    return file
  }
}
