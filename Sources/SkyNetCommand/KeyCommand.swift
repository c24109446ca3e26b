import ArgumentParser
import Foundation
import SkyNetKeys

struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Show or change the key that makes this account a member.",
    discussion: """
      Machines whose accounts have the same key form one cluster. `\(Program.name) invite` lets another machine \
      in; where there is ssh, so does

        \(Program.name) key show | ssh HOST \(Program.name) key import

      To change the key without a stop, an account holds two keys for a while. It accepts both:

        \(Program.name) key add --new                          on one machine
        \(Program.name) key show | ssh HOST \(Program.name) key add     to each of the others
        \(Program.name) key retire OLD                         on each, when all have both

      Running nodes and engagements follow the file within two seconds.

      Several accounts of a machine share one key by a file of root's: `sudo \(Program.name) key share`.
      """,
    subcommands: [
      Show.self, List.self, Path.self, Import.self, Add.self, Retire.self, New.self, Share.self,
    ])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Print the key; make one if there is none.",
      discussion: """
        Every machine that has the key is a member. While the key is changed, all keys are printed in \
        the one line, newest first, so that `key import` on another machine takes them all. Their \
        fingerprints, which are no secrets, go to standard error.
        """)

    @OptionGroup var option: KeyFileOption

    @Flag(help: "Print the newest key only.")
    var newest = false

    func run() throws {
      try orFail {
        let keys = try option.source().keys(reportingTo: .standardError)
        let shown = newest ? ClusterKeys(keys.newest) : keys
        for fingerprint in shown.fingerprints {
          Console.standardError.line("fingerprint \(fingerprint)")
        }
        try StandardOutput.write(line: shown.text)
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "Print the fingerprints of the keys, newest first, one on a line.")

    @OptionGroup var option: KeyFileOption

    func run() throws {
      try orFail {
        let keys = try option.source().keys(reportingTo: .standardError)
        for fingerprint in keys.fingerprints { try StandardOutput.write(line: fingerprint) }
        try option.source().tellOfSharing(.standardError)
      }
    }
  }

  struct Path: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "path", abstract: "Print the key file's path.")

    @OptionGroup var option: KeyFileOption

    func run() throws {
      try orFail { try StandardOutput.write(line: try option.file().path) }
    }
  }

  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Take the key from standard input, in place of the old one.",
      discussion: """
        It takes the line that `\(Program.name) key show` prints. A different key that is in the file is kept \
        as FILE.old.
        """)

    @OptionGroup var option: KeyFileOption

    func run() throws {
      try orFail {
        let source = try option.source()
        try put(try KeyCommand.input(), in: try option.file())
        KeyCommand.tellWhoseKey(source)
      }
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Hold another key beside the old one.",
      discussion: """
        The key comes from standard input: the line that `\(Program.name) key show` prints. With --new, a new key \
        is made. This account accepts all of its keys, and connects by the newest \
        that the other side has. A key that it holds already stays where it is. At most 4 are held. FILE.old \
        stays as it is, as no key is given up.
        """)

    @OptionGroup var option: KeyFileOption

    @Flag(help: "Make a new key; read nothing.")
    var new = false

    func run() throws {
      try orFail {
        let source = try option.source()
        let file = try option.file()
        let added = new ? ClusterKeys(ClusterKey()) : try KeyCommand.input()
        let former = try source.keys(reportingTo: .standardError)
        let keys = try former.adding(added)
        let console = Console.standardError
        guard keys != former else {
          return console.line("\(file.path) holds \(added) already")
        }
        try put(keys, in: file)
        // A machine's key is root's to read and change, here and there.
        let (sudo, host) = file == .shared ? ("sudo ", "root@HOST") : ("", "HOST")
        if new {
          console.line(
            "to each other machine: \(sudo)\(Program.name) key show | ssh \(host) \(Program.name) key add"
          )
        }
        let old = former.fingerprints.map { "\(sudo)\(Program.name) key retire \($0)" }
          .joined(separator: "; ")
        console.line("when all machines have the new key, on each: \(old)")
        KeyCommand.tellWhoseKey(source)
      }
    }
  }

  struct Retire: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "retire",
      abstract: "Hold one of the keys no longer.",
      discussion: """
        Do this when all machines have a newer key. Connections that were made by the retired key end, \
        and their sectors are scanned elsewhere, or here again over a new connection. Nothing is lost.
        """)

    @Argument(
      help: ArgumentHelp(
        "The key's fingerprint, or its first digits, 4 or more. (`\(Program.name) key list`)",
        valueName: "fingerprint"))
    var fingerprint: String

    @OptionGroup var option: KeyFileOption

    func run() throws {
      try orFail {
        let source = try option.source()
        let file = try option.file()
        let (kept, retired) = try file.readAll().retiring(fingerprint)
        try put(kept, in: file)
        Console.standardError.line("\(retired.fingerprint) is retired here")
        KeyCommand.tellWhoseKey(source)
      }
    }
  }

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new",
      abstract: "Make a new key in place of the old one.",
      discussion: """
        The old key is kept as FILE.old. This account leaves its cluster at once; give the new key to \
        every machine that shall follow. `\(Program.name) key add --new` changes the key of a cluster that works.
        """)

    @OptionGroup var option: KeyFileOption

    func run() throws {
      try orFail {
        let source = try option.source()
        try put(ClusterKeys(ClusterKey()), in: try option.file())
        KeyCommand.tellWhoseKey(source)
      }
    }
  }

  /// The keys on standard input.
  private static func input() throws -> ClusterKeys {
    if isatty(STDIN_FILENO) == 1 {
      Console.standardError.line("paste the key, then Ctrl-D:")
      Console.standardError.flush()
    }
    // Keys are one line; longer input is no key.
    let input = try FileHandle.standardInput.read(upToCount: 4096) ?? Data()
    return try ClusterKeys(text: String(decoding: input, as: UTF8.self))
  }

  private static func put(_ keys: ClusterKeys, in file: KeyFile) throws {
    let old = try file.replace(with: keys)
    Console.standardError.line(KeyCommand.holding(keys, in: file))
    if let old {
      let former = (try? old.readAll()).map { "the former content, \($0)," } ?? "the former content"
      Console.standardError.line("\(former) is kept in \(old.path)")
    }
    Console.standardError.line(KeyCommand.changingOver)
  }

  /// Says so where the machine's node has another key than the one that was changed.
  private static func tellWhoseKey(_ source: KeySource) {
    if let note = source.ownKeyNote() { Console.standardError.line(note) }
  }

  /// What is said after every change of a key file.
  static let changingOver =
    "nodes and engagements that run with this file change over by themselves"

  static func holding(_ keys: ClusterKeys, in file: KeyFile) -> String {
    "\(file.path) holds the key\(keys.all.count == 1 ? "" : "s") \(keys) now"
  }

  static func orFail(_ body: () throws -> Void) throws {
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
  func file() throws -> KeyFile {
    guard let file = try source().file else { throw KeyError.noFile }
    return file
  }
}
