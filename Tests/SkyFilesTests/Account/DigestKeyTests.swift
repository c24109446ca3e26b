import SkyFiles
import Testing

@Suite("Digests with a key")
struct DigestKeyTests {
  private let key = DigestKey(first: 0x0706_0504_0302_0100, second: 0x0f0e_0d0c_0b0a_0908)

  private func digest(_ bytes: [UInt8]) -> UInt64 { key.digest(of: bytes) }

  @Test(
    "A digest is SipHash-2-4, as its authors' vectors have it",
    arguments: [
      (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (7, 0xab02_00f5_8b01_d137),
      (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5), (63, 0x958a_324c_eb06_4572),
    ] as [(Int, UInt64)])
  func vectors(count: Int, expected: UInt64) {
    #expect(digest((0..<count).map { UInt8($0) }) == expected)
  }

  @Test("One changed bit anywhere gives another digest, and so does another key")
  func differences() {
    let block = [UInt8](repeating: 7, count: 2880)
    let other = DigestKey(first: key.first, second: key.second ^ 1)
    #expect(other.digest(of: block) != digest(block))
    for place in stride(from: 0, to: block.count, by: 97) {
      var changed = block
      changed[place] ^= 0x10
      #expect(digest(changed) != digest(block))
    }
  }
}
