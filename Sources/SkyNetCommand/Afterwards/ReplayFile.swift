import Foundation
import SkyFiles
import SkyNetCluster
import SkyNetCore

/// A task in a file of its own, with the settings and data that its scan needs: `skynet replay --save` writes
/// it, and any machine can replay it. It holds the same bytes as the task's message to a node, and is read with
/// the same care.
enum ReplayFile {
  private static let magic = Data("skynet replay 1\n".utf8)
  private static let anyMagic = Data("skynet replay ".utf8)
  /// The most bytes of the second line.
  private static let longestHead = 1 << 20
  private static let limits = WireLimits()

  /// The file's second line.
  private struct Head: Codable {
    let name: String
    let passName: String?
    /// Missing if the job has no parts.
    let sectorOfPart: Int?
    let story: [String]
    /// Missing if the run recorded no output.
    let recorded: String?
    /// The bytes of the task's JSON, and those beside it.
    let body: Int
    let bulk: Int
    let hash: String
  }

  /// Whether a file begins as one that ``contents(of:)`` made.
  static func isOne(_ path: String) throws -> Bool {
    // Opening a pipe would otherwise wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // A directory or a device is no such file; the journal's reader says what it is.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return false
    }
    return try file.read(upToCount: anyMagic.count) == anyMagic
  }

  static func contents(of replay: Replay) throws -> Data {
    let message = try BodyCoder(registry: Replay.registry).encode(replay.task, as: .call)
    let head = Head(
      name: replay.name, passName: replay.passName, sectorOfPart: replay.sectorOfPart,
      story: replay.story, recorded: replay.recorded, body: message.body.count,
      bulk: message.bulk.count, hash: hash(message.body, message.bulk))
    return magic + (try Replay.json(head)) + Data("\n".utf8) + message.body + message.bulk
  }

  /// - Throws: ``ReplayError``.
  static func read(_ path: String) throws -> Replay {
    func refused(_ fault: String) -> ReplayError { .notSaved(path, fault) }
    let data: Data
    do {
      data = try SmallFile.contents(
        of: path, most: limits.body + limits.bulk + longestHead + magic.count)
    } catch {
      throw refused(error == .tooLarge ? "it is larger than any sector" : "it cannot be read")
    }
    guard data.starts(with: magic) else {
      throw refused("it is of another version of skynet")
    }
    let rest = data.dropFirst(magic.count)
    guard let end = rest.prefix(longestHead).firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDecoder().decode(Head.self, from: Data(rest[..<end])),
      (0...limits.body).contains(head.body), (0...limits.bulk).contains(head.bulk)
    else { throw refused("its beginning is damaged") }
    let parts = rest[rest.index(after: end)...]
    guard parts.count == head.body + head.bulk else { throw refused("it is cut off") }
    let (body, bulk) = (Data(parts.prefix(head.body)), Data(parts.dropFirst(head.body)))
    guard hash(body, bulk) == head.hash else { throw refused("it has changed since it was saved") }
    do {
      let task = try BodyCoder(registry: Replay.registry).decode(
        ScanTask.self, from: Message(.call, body: body, bulk: bulk))
      return Replay(
        task: task, name: head.name, passName: head.passName, sectorOfPart: head.sectorOfPart,
        story: head.story, recorded: head.recorded)
    } catch {
      throw refused("its task is of a kind of scan, or a version, that this program does not know")
    }
  }

  private static func hash(_ body: Data, _ bulk: Data) -> String {
    var hash = ContentsHash()
    hash.add(body)
    hash.add(bulk)
    return hash.text
  }
}
