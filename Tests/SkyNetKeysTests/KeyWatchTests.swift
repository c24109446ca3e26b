import Foundation
import SkyNetKeys
import Testing

@Suite("Changes of a key file")
struct KeyWatchTests {
  private let old = ClusterKeys.new()
  private let new = ClusterKeys.new()

  private func fault() -> KeyError {
    KeyError(NSError(domain: "test", code: 1))
  }

  @Test("A change is told once, and a file that stays the same is not told of")
  func change() {
    var watch = KeyWatch(old)
    #expect(watch.read(.success(old)) == nil)
    #expect(watch.read(.success(new)) == .changed(from: old, to: new))
    #expect(watch.read(.success(new)) == nil)
    #expect(watch.read(.success(old)) == .changed(from: new, to: old))
  }

  @Test("A fault is told once, and its end, and a change after a fault")
  func faults() {
    var watch = KeyWatch(old)
    #expect(watch.read(.failure(fault())) == .keepFormer(reason: fault().description))
    #expect(watch.read(.failure(fault())) == nil)
    #expect(watch.read(.success(old)) == .mended)
    #expect(watch.read(.success(old)) == nil)
    #expect(watch.read(.failure(fault())) != nil)
    #expect(watch.read(.success(new)) == .changed(from: old, to: new))
  }

  @Test("A ring holds what its file has, and the former keys while the file cannot be used")
  func ring() async throws {
    try await withFolder { folder in
      let file = KeyFile(path: folder + "/cluster.key")
      try file.replace(with: old)
      let ring = KeyRing(old, file: file)
      #expect(try ring.reread() == old)
      try file.replace(with: new)
      #expect(try ring.reread() == new && ring.keys == new)
      try FileManager.default.removeItem(atPath: file.path)
      let error = #expect(throws: KeyError.self) { try ring.reread() }
      #expect(error?.description.contains("is gone: put it back") == true)
      try Data("hello".utf8).write(to: URL(fileURLWithPath: file.path))
      #expect(throws: KeyError.self) { try ring.reread() }
      #expect(ring.keys == new)
    }
  }

  @Test("A ring without a file stays as it is")
  func fixed() throws {
    let ring = KeyRing(old)
    #expect(try ring.reread() == old)
  }
}
