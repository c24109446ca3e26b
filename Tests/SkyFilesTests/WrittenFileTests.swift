import Foundation
import SkyFiles
import Testing

@Suite("Written files")
struct WrittenFileTests {
  @Test(
    "A path is kept as URL has it",
    arguments: [
      "a.csv", "out/a.csv", "/tmp/a.csv", "./a.csv", "out/./a.csv", "out/../a.csv", "../a.csv",
      "out//a.csv",
      "/tmp/../a.csv", "/", "a b/ü.csv", "/tmp/.hidden/a.csv", ".a.csv", "out/", "a%20b.csv",
    ])
  func absolute(path: String) {
    #expect(WrittenFile.absolute(path) == URL(fileURLWithPath: path).path)
  }
}
