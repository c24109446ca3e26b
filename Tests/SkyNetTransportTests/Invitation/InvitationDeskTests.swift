import Testing

@testable import SkyNetTransport

@Suite("An invitation's decisions")
struct InvitationDeskTests {
  /// The desk's answers to these events, in words.
  private func answers(_ events: [(inout InvitationDesk) -> String]) -> [String] {
    var desk = InvitationDesk()
    return events.map { $0(&desk) }
  }

  private func wrong(_ desk: inout InvitationDesk) -> String {
    desk.wrongCode().map { "\($0.left) left" + ($0.ending.map { ", \($0)" } ?? "") } ?? "-"
  }

  private func proved(
    _ visitor: InvitationDesk.Visitor
  ) -> (inout InvitationDesk) -> String {
    { $0.proved(visitor, host: "h\(visitor)") ? "keys" : "-" }
  }

  private func confirmed(
    _ visitor: InvitationDesk.Visitor
  ) -> (inout InvitationDesk) -> String {
    { $0.confirmed(visitor).map { "\($0)" } ?? "-" }
  }

  private func lost(_ visitor: InvitationDesk.Visitor) -> (inout InvitationDesk) -> String {
    { $0.lost(visitor).map { "\($0)" } ?? "-" }
  }

  private func expired(_ desk: inout InvitationDesk) -> String {
    desk.expired().map { "\($0)" } ?? "-"
  }

  @Test("One visitor gets the keys, and its word that it has kept them ends the invitation")
  func used() {
    #expect(
      answers([
        wrong, proved(1), proved(2), confirmed(2), lost(2), expired, wrong, confirmed(1), lost(1),
        expired, proved(3),
      ]) == [
        "2 left", "keys", "-", "-", "-", "-", "-", "used(host: \"h1\")", "-", "-", "-",
      ])
  }

  @Test("Keys that were sent and not confirmed count as used")
  func unconfirmed() {
    #expect(
      answers([proved(1), lost(1), proved(2)]) == ["keys", "unconfirmed(host: \"h1\")", "-"])
  }

  private func withdrawn(_ desk: inout InvitationDesk) -> String {
    desk.withdrawn().map { "\($0)" } ?? "-"
  }

  @Test("An invitation that is closed early says whether the keys were sent before")
  func closedEarly() {
    #expect(answers([withdrawn, withdrawn, proved(1)]) == ["withdrawn", "-", "-"])
    #expect(
      answers([proved(1), withdrawn, confirmed(1), lost(1)])
        == ["keys", "unconfirmed(host: \"h1\")", "-", "-"])
    #expect(
      answers([proved(1), { $0.unreadable(1, "r").map { "\($0)" } ?? "-" }, proved(2), withdrawn])
        == ["keys", "unreadable(reason: \"r\")", "-", "-"])
  }

  @Test("The third wrong code ends the invitation")
  func wrongCodes() {
    #expect(
      answers([wrong, wrong, wrong, wrong, proved(1), expired])
        == ["2 left", "1 left", "0 left, wrongCodes", "-", "-", "-"])
  }

  @Test("An invitation that has expired hands out nothing")
  func expiry() {
    #expect(answers([expired, proved(1), wrong, expired]) == ["expired", "-", "-", "-"])
  }
}
