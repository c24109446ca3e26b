import Testing

@testable import SkyNetCommand

@Suite("Thread limits and needs")
struct ThreadLimitTests {
  @Test("The limit that is reached is named: a control group's, the account's, or the machine's")
  func reached() {
    let (full, free) = (
      ThreadLimit.Group(limit: 20, used: 12), ThreadLimit.Group(limit: 99, used: 12)
    )
    func name(_ groups: [ThreadLimit.Group], account: Int?) -> String {
      ThreadLimit.name(groups, account: account, needed: 9)
    }
    #expect(
      name([free, full], account: 24).hasPrefix("the limit of its control group, which is 20 "))
    #expect(name([free], account: 24) == "the limit of its account, which is 24 (ulimit -u)")
    #expect(name([free], account: nil).contains("kernel.threads-max"))
  }

  @Test("Fewer slots are a remedy only if they leave one")
  func remedy() {
    func text(possible: Int) -> String {
      ThreadShortage(needed: 18, possible: possible, limit: "the limit", scans: 8).description
    }
    #expect(
      text(possible: 13)
        == "the command needs up to 18 more threads, and can start 13: raise the limit, or give at most --slots 3"
    )
    #expect(
      text(possible: 10)
        == "the command needs up to 18 more threads, and can start 10: raise the limit")
  }

  @Test("Where a limit is known to be far, no thread is started to find it")
  func room() throws {
    guard let room = ThreadLimit.room else { return }
    try ThreadShortage.check(room)
  }

  @Test("As many threads as there are to be are started, and end")
  func threads() throws {
    try ThreadShortage.check(50)
  }
}
