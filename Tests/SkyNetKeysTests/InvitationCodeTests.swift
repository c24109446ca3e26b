import SkyNetKeys
import Testing

@Suite("An invitation's code")
struct InvitationCodeTests {
  @Test("A code is 26 letters and digits, and is read in either case, with hyphens or without")
  func text() throws {
    for _ in 0..<200 {
      let code = InvitationCode()
      #expect(code.text.count == 26 && code.text.allSatisfy { $0.isLetter || $0.isNumber })
      #expect(InvitationCode(code.text) == code && InvitationCode(code.text.uppercased()) == code)
      let halves = code.text.prefix(13) + "-" + code.text.dropFirst(13)
      #expect(InvitationCode(String(halves)) == code)
      let misread = code.text.replacing("0", with: "O").replacing("1", with: "l")
      #expect(InvitationCode(misread) == code)
    }
  }

  @Test(
    "A text that is no code is refused",
    arguments: [
      "", "hello", String(repeating: "0", count: 25), String(repeating: "0", count: 27),
      String(repeating: "0", count: 25) + "1", String(repeating: "u", count: 26),
      "skynet-key-" + String(repeating: "a", count: 64),
    ])
  func refused(_ text: String) {
    #expect(InvitationCode(text) == nil)
  }

  @Test("Codes differ, and so do their secrets, which every version derives alike")
  func secrets() throws {
    let codes = (0..<100).map { _ in InvitationCode() }
    #expect(Set(codes.map(\.text)).count == 100)
    #expect(Set(codes.map(\.preSharedKey)).count == 100)
    let zero = try #require(InvitationCode(String(repeating: "0", count: 26)))
    // BLAKE2b of 16 zero bytes with the key "skynet invitation", and from that BLAKE2b with the salt 1 and the
    // person "skynet-i", as Python's hashlib computes them.
    let hexadecimal = zero.preSharedKey.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    #expect(hexadecimal == "1fe7cce8c31f9e7c9a48dc8e23b9749580ddcaa88791dfb2b2963260d4696cfc")
  }

  @Test("A code prints as no code")
  func secrecy() {
    let code = InvitationCode()
    var dumped = ""
    dump(code, to: &dumped)
    for text in ["\(code)", dumped] { #expect(!text.contains(code.text)) }
  }
}
