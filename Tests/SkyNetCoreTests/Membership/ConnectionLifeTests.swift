import Testing

@testable import SkyNetCore

@Suite("The life of a connection")
struct ConnectionLifeTests {
  private struct CableCut: Error {}

  private static let offence = WireError(.unexpected, "a second hello")

  /// A connection whose peer is introduced and connected at 0 s, with timeouts of five seconds.
  private func connected() throws -> ConnectionLife {
    var life = ConnectionLife()
    #expect(try life.introduced(isThisProcess: false) == nil)
    let connected = try #require(try connect(&life))
    #expect(connected.interval == .seconds(1))
    #expect(!connected.isDraining)
    return life
  }

  private func connect(
    _ life: inout ConnectionLife
  ) throws -> (interval: Duration, isDraining: Bool)? {
    try life.connected(timeout: .seconds(5), peerTimeout: .seconds(5), at: .at(0))
  }

  // MARK: Before the peer is connected

  @Test("A peer that closes before it has introduced itself was never connected")
  func closesBeforeItsHello() {
    var life = ConnectionLife()
    let ending = life.ended(for: .closed, isConnectedOtherwise: false)
    #expect(!ending.wasConnected)
    guard case .closed = ending.reason else {
      Issue.record("\(ending.reason)")
      return
    }
  }

  @Test("A connection to this very process is closed at once, with a goodbye that says so")
  func toItself() throws {
    var life = ConnectionLife()
    let action = try life.introduced(isThisProcess: true)
    #expect(action == .close(saying: Goodbye("connected to itself")))
    #expect(try connect(&life) == nil, "no one is told of the peer")
    let ending = life.ended(for: .closed, isConnectedOtherwise: false)
    guard case .connectedToItself = ending.reason else {
      Issue.record("\(ending.reason)")
      return
    }
  }

  @Test("A second connection to a process is closed with a goodbye that says so")
  func alreadyConnected() throws {
    var life = ConnectionLife()
    _ = try life.introduced(isThisProcess: false)
    #expect(life.parts(for: .connectedAlready) == .close(saying: Goodbye("already connected")))
    let ending = life.ended(for: .closed, isConnectedOtherwise: true)
    #expect(ending.isConnectedAlready && !ending.wasConnected && !ending.mayComeBack)
  }

  @Test(
    "A second connection is recognized when the peer closes it first, for any reason",
    arguments: [ConnectionLife.Reason.peerLeft(""), .closed, .lost(CableCut())])
  func peerNoticesFirst(_ reason: ConnectionLife.Reason) throws {
    var life = ConnectionLife()
    _ = try life.introduced(isThisProcess: false)
    _ = life.parts(for: reason)
    #expect(try connect(&life) == nil)
    #expect(life.ended(for: .closed, isConnectedOtherwise: true).isConnectedAlready)
  }

  @Test("A peer that breaks the protocol is told so, even on a second connection")
  func introducedOffender() throws {
    var life = ConnectionLife()
    _ = try life.introduced(isThisProcess: false)
    #expect(life.parts(for: .offended(Self.offence)) == .close(saying: Goodbye(Self.offence)))
    let ending = life.ended(for: .closed, isConnectedOtherwise: true)
    guard case .offended(Self.offence) = ending.reason else {
      Issue.record("\(ending.reason)")
      return
    }
  }

  // MARK: Connected

  @Test("A connected peer is pinged each second, and is gone after five seconds of silence")
  func silence() throws {
    var life = try connected()
    for second in 1...4 {
      #expect(try life.ticked(signsOfLife: 0, at: .at(Double(second))) == .ping)
    }
    #expect(try life.ticked(signsOfLife: 0, at: .at(5)) == .close(saying: nil))
    #expect(try life.ticked(signsOfLife: 0, at: .at(6)) == nil, "the connection parts already")
    let ending = life.ended(for: .closed, isConnectedOtherwise: true)
    #expect(ending.wasConnected && ending.mayComeBack)
    #expect(
      ending.lastAlive(at: .at(5)) == .at(1), "the peer may have died right after it was heard")
  }

  @Test("A peer's drain is reported once, and not before the peer is connected")
  func drain() throws {
    var life = try connected()
    #expect(try life.drained())
    #expect(try !life.drained())
    #expect(try life.ticked(signsOfLife: 1, at: .at(1)) == .ping, "the heartbeat goes on")

    var early = ConnectionLife()
    _ = try early.introduced(isThisProcess: false)
    #expect(try !early.drained(), "no one knows of the peer yet")
    #expect(try connect(&early)?.isDraining == true)
    #expect(try !early.drained())
  }

  @Test("A connection knows that its process stood still, even while it parts")
  func stoodStill() throws {
    var life = ConnectionLife()
    #expect(!life.stoodStill(since: .at(0), at: .at(60)), "nothing was measured yet")
    life = try connected()
    #expect(!life.stoodStill(since: .at(0), at: .at(1)))
    #expect(life.stoodStill(since: .at(0), at: .at(60)))
    _ = life.parts(for: .closed)
    #expect(life.stoodStill(since: .at(0), at: .at(1)), "standing still may have been the cause")
  }

  // MARK: Parting

  @Test("The first reason to part stays, and closes the connection once")
  func firstReason() throws {
    var life = try connected()
    #expect(life.parts(for: .left(Goodbye("done"))) == .close(saying: Goodbye("done")))
    #expect(life.parts(for: .offended(Self.offence)) == nil)
    let ending = life.ended(for: .lost(CableCut()), isConnectedOtherwise: true)
    guard case .left(Goodbye("done")) = ending.reason else {
      Issue.record("\(ending.reason)")
      return
    }
    #expect(ending.wasConnected)
  }

  @Test("Events that arrive while a connection parts change nothing")
  func late() throws {
    var life = try connected()
    _ = life.parts(for: .peerLeft(""))
    #expect(try life.introduced(isThisProcess: false) == nil)
    #expect(try connect(&life) == nil)
    #expect(try !life.drained())
    #expect(try life.ticked(signsOfLife: 9, at: .at(1)) == nil)
    #expect(life.ended(for: .closed, isConnectedOtherwise: false).wasConnected)
  }

  @Test("A peer that left or objected has not died, and does not come back")
  func peerLeft() throws {
    for reason in [
      ConnectionLife.Reason.peerLeft(""), .accused(Goodbye(Self.offence)), .cancelled,
    ] {
      var life = try connected()
      let ending = life.ended(for: reason, isConnectedOtherwise: true)
      #expect(ending.wasConnected && !ending.mayComeBack)
      #expect(ending.lastAlive(at: .at(3)) == nil)
    }
  }

  @Test("A peer whose connection ends without a goodbye may have died, and may come back")
  func broken() throws {
    for reason in [ConnectionLife.Reason.closed, .lost(CableCut()), .offended(Self.offence)] {
      var life = try connected()
      let ending = life.ended(for: reason, isConnectedOtherwise: true)
      #expect(ending.mayComeBack)
      #expect(ending.lastAlive(at: .at(3)) == .at(3))
    }
  }

  @Test("A peer that this side said goodbye to has not died, and may come back")
  func sentAway() throws {
    var life = try connected()
    _ = life.parts(for: .left(Goodbye("connect anew")))
    let ending = life.ended(for: .closed, isConnectedOtherwise: true)
    #expect(ending.mayComeBack)
    #expect(ending.lastAlive(at: .at(3)) == nil)
  }

  // MARK: Illegal events

  @Test("An illegal event is refused with the connection's story, and changes nothing")
  func illegal() throws {
    var life = try connected()
    _ = try life.drained()
    #expect(
      throws: IllegalEvent(
        event: "the peer is connected twice", state: "draining",
        story: ["greeting", "introduced", "connected", "draining"])
    ) { try connect(&life) }
    #expect(throws: IllegalEvent.self) {
      try life.introduced(isThisProcess: false)
    }
    #expect(try life.ticked(signsOfLife: 1, at: .at(1)) == .ping, "the connection goes on")
  }

  @Test("A peer cannot drain, beat or be connected before it has introduced itself")
  func tooEarly() throws {
    var life = ConnectionLife()
    #expect(throws: IllegalEvent.self) { try life.drained() }
    #expect(throws: IllegalEvent.self) { try connect(&life) }
    #expect(throws: IllegalEvent.self) {
      try life.ticked(signsOfLife: 1, at: .at(1))
    }
    _ = try life.introduced(isThisProcess: false)
    #expect(throws: IllegalEvent.self) {
      try life.ticked(signsOfLife: 1, at: .at(1))
    }
  }
}

extension ConnectionLife.Ending {
  fileprivate var isConnectedAlready: Bool {
    if case .connectedAlready = reason { true } else { false }
  }
}
