import Foundation
import SkyTestSupport
import Testing

@testable import SkyFiles

@Suite("Proofs of the account", .timeLimit(.minutes(20)))
struct AccountDoorTests {
  private let folder: TemporaryFolder
  private let bytes = Self.bytes("image a")
  private let id = UUID()

  init() throws { folder = try TemporaryFolder() }

  private static func bytes(_ text: String) -> ProvenBytes {
    var bytes = ProvenBytes("test")
    bytes.add(text)
    return bytes
  }

  private var environment: [String: String] { ["XDG_RUNTIME_DIR": folder.path] }
  private var doors: String { folder.path + "/skynet/doors" }
  private var sockets: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: doors) }
  }

  private func opened() -> AccountDoor {
    let door = AccountDoor()
    door.open(as: id, environment: environment)
    return door
  }

  private func proof(at folder: String? = nil) async -> AccountProof? {
    await AccountProofs(environment: ["XDG_RUNTIME_DIR": folder ?? self.folder.path])
      .proof(for: bytes, to: id)
  }

  @Test("Who is at the door proves what it asks for, and nothing else, and to no other door")
  func proved() async throws {
    let (door, other) = (opened(), AccountDoor())
    other.open(as: UUID(), environment: environment)
    let proofs = AccountProofs(environment: environment)
    let proof = try #require(await proofs.proof(for: bytes, to: id))
    #expect(door.isProof(proof, for: bytes))
    for text in ["image b", "image", "image a ", ""] {
      #expect(!door.isProof(proof, for: Self.bytes(text)))
    }
    var forged = proof
    forged.digest ^= 1
    #expect(!door.isProof(forged, for: bytes))
    forged = proof
    forged.visit ^= 1
    #expect(!door.isProof(forged, for: bytes))
    #expect(!other.isProof(proof, for: bytes))
    #expect(try sockets.count == 2)
    door.close()
    #expect(!door.isProof(proof, for: bytes))
    #expect(await self.proof() == nil)
    #expect(try sockets.count == 1)
  }

  @Test("A proof is good for as long as its process is at the door")
  func visit() async throws {
    let door = opened()
    var proofs: AccountProofs? = AccountProofs(environment: environment)
    let proof = try #require(await proofs?.proof(for: bytes, to: id))
    let again = await proofs?.proof(for: bytes, to: id)
    #expect(again == proof, "a task that is sent again is the same")
    #expect(door.isProof(proof, for: bytes))
    proofs = nil
    // The kernel tells the door, which looks on a thread of its own.
    while door.isProof(proof, for: bytes) { await Task.yield() }
  }

  @Test("No two requests of a kind are the same bytes, nor of two kinds")
  func provenBytes() {
    func distinct<Value>(_ values: [Value], _ add: (inout ProvenBytes, Value) -> Void) -> Int {
      let all = values.flatMap { value in
        ["a", "b"].map { kind in
          var bytes = ProvenBytes(kind)
          add(&bytes, value)
          return bytes
        }
      }
      return Set(all).count
    }
    let lists = [["ab", "c"], ["a", "bc"], ["abc"], [], [""], ["", ""]]
    #expect(distinct(lists) { $0.add(all: $1) { $0.add($1) } } == 12)
    #expect(distinct([nil, "", "x"] as [String?]) { $0.add($1) { $0.add($1) } } == 6)
  }

  @Test(
    "A node of a session is found without the session's variables, and one beside its key by both")
  func places() async throws {
    let door = AccountDoor()
    door.open(
      as: id, environment: ["XDG_RUNTIME_DIR": folder.file("none"), "HOME": folder.path])
    #expect(door.isOpen)
    let proofs = AccountProofs(environment: ["HOME": folder.path])
    #expect(await proofs.proof(for: bytes, to: id) != nil)
    #expect(!FileManager.default.fileExists(atPath: folder.file("none")))
  }

  @Test("Where others can use the folder, or change the one that it is in, there is no door")
  func modes() async throws {
    let door = opened()
    for (place, bad) in [
      (doors, 0o750), (doors, 0o701), (folder.path, 0o770), (folder.path, 0o1777),
    ] {
      #expect(chmod(place, mode_t(bad)) == 0)
      #expect(await proof() == nil, "\(place)")
      #expect(chmod(place, 0o700) == 0)
      #expect(await proof() != nil)
    }
    withExtendedLifetime(door) {}
  }

  @Test("What killed processes left is removed, and a door that is answered is not")
  func leftBehind() async throws {
    let door = opened()
    // As of a process that is gone: nobody has it open, and its file stays.
    let isMade = try #require(OwnFolder(doors)).listen(as: "left") != nil
    #expect(isMade)
    #expect(try sockets.count == 2)
    let second = AccountDoor()
    second.open(as: UUID(), environment: environment)
    #expect(try sockets.count == 2)
    #expect(try !sockets.contains { $0.hasSuffix("left") })
    #expect(await proof() != nil)
    withExtendedLifetime(door) {}
  }

  @Test("A folder whose path is longer than a socket's may be has a door all the same")
  func longPath() async throws {
    let long = folder.path + "/" + String(repeating: "long", count: 40)
    try FileManager.default.createDirectory(
      atPath: long, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let door = AccountDoor()
    door.open(as: id, environment: ["XDG_RUNTIME_DIR": long])
    #expect(await proof(at: long) != nil)
    withExtendedLifetime(door) {}
  }
}
