import Foundation

/// The folder of the programs of one keeper, which is empty whenever one begins. One that a program
/// leaves as it was is the next one's too, as making a folder can take longer than a short program.
///
/// It is reached from open folders alone, as ``OpenFolder`` says.
struct ProgramFolder {
  /// The folder in which those of all keepers are, with a slash at the end.
  private let above: String
  /// What the names of all parents begin with.
  private let base: String
  /// The keeper's folder, in which only the program's is.
  private let slot: String
  /// The folder of the folders of all keepers, which is this account's alone.
  private var parent: String
  /// Tells others that the parent is in use.
  private var lock: FolderLock?
  /// Names the program's folder. What cannot be removed keeps its name, and the next folder has another.
  private var number = 1

  /// - Parameters:
  ///   - base: an absolute path that nobody can guess. The folder is made when it is needed. While it is not there,
  ///     another account that has seen its name can take that; then the keeper has another parent.
  ///   - slot: the number of the keeper.
  init(in base: String, slot: Int) {
    (above, self.base) = Self.parts(of: base)
    self.slot = "\(slot)"
    parent = self.base
  }

  /// What the system has refused to make or to enter, and its error.
  struct Fault: Error {
    let path: String
    let reason: CInt
  }

  /// Makes the folder and those above it, or finds that it is there and empty, and makes it the current directory.
  mutating func enter() throws(Fault) {
    var folder = asMade()
    if folder == nil { folder = try make() }
    guard folder?.enter() == 0 else { throw Fault(path: path, reason: errno) }
  }

  private mutating func make() throws(Fault) -> OpenFolder {
    clear()
    // What cleans temporary folders, and a keeper that ends, may remove those above at any time.
    var attempts = 4
    while true {
      do throws(Fault) {
        return try makeOnce()
      } catch {
        switch error.reason {
        case EEXIST where error.path == path: number += 1
        case EEXIST where attempts > 0:
          attempts -= 1
          parent = "\(base)-\(Self.randomName)"
        case ENOENT where attempts > 0: attempts -= 1
        default: throw error
        }
      }
    }
  }

  private mutating func makeOnce() throws(Fault) -> OpenFolder {
    guard let parent = OpenFolder(path: above)?.provide(parent) else {
      throw Fault(path: "\(above)\(parent)", reason: errno)
    }
    // Before anything is in it: what no process has locked counts as left behind.
    lock = parent.shareLock()
    guard lock != nil else { throw Fault(path: "\(above)\(self.parent)", reason: errno) }
    guard let own = parent.provide(slot) else {
      throw Fault(path: "\(above)\(self.parent)/\(slot)", reason: errno)
    }
    guard own.makeFolder("\(number)") == 0, let folder = own.own("\(number)") else {
      throw Fault(path: path, reason: errno)
    }
    return folder
  }

  private var path: String { "\(above)\(parent)/\(slot)/\(number)" }

  private func asMade() -> OpenFolder? {
    OpenFolder(path: above)?.own(parent)?.own(slot)?.asMade("\(number)")
  }

  /// What a program has left in its folder, as far as that is where it was.
  var left: ProgramLeavings {
    let names = OpenFolder(path: above)?.own(parent)?.own(slot)?.own("\(number)")?.names ?? []
    return ProgramLeavings(files: names.count, example: names.min())
  }

  /// Removes what a program has left, which must have ended.
  func clear() {
    if asMade() != nil { return }
    OpenFolder(path: above)?.own(parent)?.empty(slot)
  }

  /// Removes the keeper's folders, of which no program may use anything any more, and then those of all keepers, if
  /// no other one's is in them.
  func remove() {
    Self.removeParents(above, base) { parent in
      parent.empty(slot)
      parent.removeFolder(slot)
    }
  }

  /// Removes the folders of all keepers. What the account has no right to remove stays.
  static func removeAll(_ base: String) {
    let (above, base) = parts(of: base)
    removeParents(above, base) { $0.empty() }
  }

  /// A name that nobody can guess.
  static var randomName: String { String(UInt64.random(in: 0...UInt64.max), radix: 36) }

  /// Removes each folder that may be that of all keepers, if it is empty after `clear`. What is another account's among
  /// them is left alone, and so is what is mounted.
  private static func removeParents(
    _ above: String, _ base: String, _ clear: (borrowing OpenFolder) -> Void
  ) {
    guard let above = OpenFolder(path: above) else { return }
    for name in [base] + above.names.filter({ $0.hasPrefix("\(base)-") }) {
      // A program may have put something else in its place.
      above.removeFile(name)
      guard let parent = above.own(name), above.removeFolder(name) != EBUSY else { continue }
      clear(parent)
      above.removeFolder(name)
    }
  }

  private static func parts(of path: String) -> (above: String, name: String) {
    // Of a path, bytes tell: a slash that a combining mark follows is a part of another character.
    guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("./", path) }
    let name = path.utf8.index(after: end)
    return (String(path[..<name]), String(path[name...]))
  }
}
