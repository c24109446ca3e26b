import Foundation
import Testing

@testable import SkyNetCore

@Suite("The hello")
struct HelloTests {
  static let hello = Hello(
    name: "orion", incarnation: Incarnation(), slots: 8, timeout: .seconds(5), scans: [.survey])

  /// The JSON of a hello after a change.
  private func message(_ change: (inout [String: Any]) -> Void) throws -> Message {
    let json = try JSONEncoder().encode(Self.hello)
    var fields = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
    change(&fields)
    return Message(.hello, body: try JSONSerialization.data(withJSONObject: fields))
  }

  private func refusal(of message: Message) -> WireError? {
    #expect(throws: WireError.self) { try message.decodeHello() }
  }

  @Test("A hello that is sent is received the same")
  func roundTrip() throws {
    #expect(try Message(.hello, encoding: Self.hello).decodeHello() == Self.hello)
  }

  @Test("A hello with unknown fields is accepted")
  func unknownFields() throws {
    let message = try message { $0["colour"] = "red" }
    #expect(try message.decodeHello() == Self.hello)
  }

  @Test("Another version is refused with both numbers, even if the rest is unreadable")
  func otherVersion() {
    let text = #"{"protocolVersion": 7, "who": ["something", "else"]}"#
    let error = refusal(of: Message(.hello, body: utf8(text)))
    #expect(error?.code == .protocolVersion)
    #expect(
      error?.message == "protocol version 7 and protocol version "
        + "\(SkyNetVersion.wireProtocol) have nothing in common: update the SkyNet of version 1")
  }

  @Test("A frame of another kind before the hello is refused", arguments: FrameKind.allCases)
  func beforeHello(kind: FrameKind) {
    guard kind != .hello else { return }
    let error = refusal(of: Message(kind))
    #expect(error == WireError(.unexpected, "a \(kind) frame came before hello"))
  }

  @Test(
    "A body that is not the JSON expected is refused",
    arguments: ["", "null", "[]", "{}", "{\"protocolVersion\":\"1\"}", "{\"protocolVersion\":1}"])
  func malformed(body: String) {
    #expect(refusal(of: Message(.hello, body: utf8(body)))?.code == .malformed)
  }

  @Test("An impossible number of slots is refused", arguments: [-1, 65_537, Int.max, Int.min])
  func slots(count: Int) throws {
    let error = refusal(of: try message { $0["slots"] = count })
    #expect(error?.code == .malformed)
  }

  @Test("An impossible timeout is refused", arguments: [0, -1, 86_401, 1e300, -1e300])
  func timeouts(seconds: Double) throws {
    let error = refusal(of: try message { $0["timeoutSeconds"] = seconds })
    #expect(error?.code == .malformed)
  }

  @Test("A timeout that would need pings without pause is refused")
  func shortestTimeout() throws {
    let error = refusal(of: try message { $0["timeoutSeconds"] = 1e-30 })
    #expect(error?.code == .malformed)
  }

  @Test("A name has 1 to 63 bytes without control characters")
  func names() throws {
    for name in ["", String(repeating: "a", count: 64), "a\nb", "a\u{7F}", "a\u{9B}", "a\u{202E}b"]
    {
      let error = refusal(of: try message { $0["name"] = name })
      #expect(error?.code == .malformed)
      #expect(error?.message.contains("a name of \(name.utf8.count) bytes; 1 to 63") == true)
      #expect(PeerName.isAllowed(PeerName.fitted(name)))
    }
    let longest = String(repeating: "é", count: 31) + "a"
    #expect(try message { $0["name"] = longest }.decodeHello().name == longest)
    #expect(PeerName.fitted(longest) == longest)
    #expect(PeerName.fittedAtEnd("night/a.fits", to: 12) == "night/a.fits")
    #expect(PeerName.fittedAtEnd("night/a.fits", to: 11) == "…t/a.fits")
    #expect(PeerName.fittedAtEnd("a\nb", to: 12) == "ab")
    #expect(PeerName.fitted(longest + "b") == longest)
    #expect(PeerName.fitted("\u{2066}a\u{9B}b") == "ab")
  }

  @Test("Room for fewer bytes than none is refused, and so is a hello that does not tell its room")
  func heldBytes() throws {
    for bytes in [-1, nil] {
      let error = refusal(of: try message { $0["heldBytes"] = bytes })
      #expect(error?.code == .malformed)
    }
  }

  @Test("A network namespace has 1 to 63 bytes without control characters, or is left out")
  func networkNamespaces() throws {
    let told = try message { $0["networkNamespace"] = "9f86d081884c7d65" }.decodeHello()
    #expect(told.networkNamespace == "9f86d081884c7d65")
    #expect(try Message(.hello, encoding: told).decodeHello() == told)
    for text in ["", String(repeating: "x", count: 64), "a\nb"] {
      let error = refusal(of: try message { $0["networkNamespace"] = text })
      #expect(error?.message.contains("a network namespace of") == true)
    }
  }

  @Test("A drain tells who asked for it, and what cannot be a name is none")
  func drains() {
    #expect(Message.drain(askedBy: nil) == Message(.drain))
    #expect(Message.drain(askedBy: "ada@lab").decodeDrainingClient() == "ada@lab")
    for body in ["", "[]", "{}", #"{"by":""}"#, #"{"by":"a\nb"}"#, #"{"by":7}"#] {
      #expect(Message(.drain, body: utf8(body)).decodeDrainingClient() == nil, "\(body)")
    }
  }

  @Test("The software version, the number of kinds and their length are bounded")
  func otherTexts() throws {
    let long = String(repeating: "x", count: 200)
    let error = refusal(of: try message { $0["software"] = long })
    #expect(error?.message.contains("a software version of 200 bytes; at most 63") == true)
    let kind = refusal(of: try message { $0["scans"] = [long + "/1"] })
    #expect(kind?.message.contains("a kind of scan of 202 bytes; at most 128") == true)
    let kinds = (0...256).map { "k\($0)/1" }
    let many = refusal(of: try message { $0["scans"] = kinds })
    #expect(many?.message.contains("257 kinds of scan; at most 256") == true)
    #expect(try message { $0["scans"] = Array(kinds.dropLast()) }.decodeHello().scans.count == 256)
  }

  @Test("A long message in a failure or a goodbye is cut")
  func longMessages() throws {
    let long = String(repeating: "x", count: 50_000)
    let failure = try Message(.failure, encoding: CallFailure(.task, long))
      .decodeBody(CallFailure.self)
    #expect(failure.message.count == 5001)
    #expect(
      try Message(.goodbye, encoding: Goodbye(long)).decodeBody(Goodbye.self).message.count == 1001)
  }

  @Test("Each fault of a failure, and a message with the last words of a program, survive the wire")
  func faults() throws {
    let words = String(repeating: "no\tstars: \u{1F52D}\n", count: 4096 / 15)
    for fault in [
      CallFailure.Fault.task, .system, .draining, .cancelled, .data, .unsuited, .full, .unmendable,
    ] {
      let failure = CallFailure(fault, words, seconds: 0.5)
      #expect(try Message(.failure, encoding: failure).decodeBody(CallFailure.self) == failure)
    }
  }

  @Test("A hello may announce no slots")
  func noSlots() throws {
    #expect(try message { $0["slots"] = 0 }.decodeHello().slots == 0)
  }

  @Test("A refusal does not send all of the refused text back")
  func shortRefusal() throws {
    let kind = String(repeating: "\0", count: 100_000)
    let error = try #require(refusal(of: try message { $0["scans"] = [kind] }))
    let body = Message(.goodbye, encoding: Goodbye(error)).body
    #expect(body.count < 10_000)
  }

  @Test("A failure with an impossible time is refused", arguments: ["-1", "1e10", "1e308"])
  func impossibleSeconds(text: String) throws {
    let failure = Message(
      .failure, body: utf8(#"{"fault":"task","message":"","seconds":\#(text)}"#))
    #expect(throws: WireError.self) { try failure.decodeBody(CallFailure.self) }
  }

  @Test("Deeply nested arrays are refused on the stack of any thread")
  func deepNesting() {
    for depth in [600, 1_000_000] {
      let body = utf8(String(repeating: "[", count: depth))
      #expect(refusal(of: Message(.hello, body: body))?.code == .malformed)
    }
  }

  @Test("A goodbye carries the fault of the receiver")
  func goodbye() throws {
    let said = Goodbye(WireError(.tooLarge, "too much"))
    #expect(try Message(.goodbye, encoding: said).decodeBody(Goodbye.self) == said)
    #expect(said.code == .tooLarge)
    #expect(Goodbye("leaving").code == nil)
  }
}
