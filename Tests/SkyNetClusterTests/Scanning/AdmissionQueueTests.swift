import Logging
import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("The queue of admission")
struct AdmissionQueueTests {
  private let clock = ManualClock()
  private let ada = Incarnation()

  private func queue() -> AdmissionQueue {
    AdmissionQueue(slots: 1, owner: nil, lifetime: nil, clock: clock, logger: Logger(label: "test"))
  }

  private func call(_ number: UInt64) -> ScanCall {
    ScanCall(
      number,
      ScanTask(TaskID(sector: 0), of: RunID(), for: ProbeScan.self, settings: "", sector: 0),
      from: CallContext(client: ada, clientName: "ada"))
  }

  private func waits(_ call: ScanCall, in queue: inout AdmissionQueue) -> Bool {
    if case .wait = queue.enter(call) { true } else { false }
  }

  @Test("A system is idle while no call runs or waits, also where one waits for its client to read")
  func idle() {
    var queue = queue()
    let first = queue.idleSince
    #expect(first == clock.now)
    queue.leavesUnread(ada)
    let waiting = call(1)
    var isWaiting = waits(waiting, in: &queue)
    #expect(isWaiting)
    #expect(queue.idleSince == nil)
    clock.advance(by: .seconds(5))
    let isWithdrawn = queue.withdraw(waiting)
    #expect(isWithdrawn)
    #expect(queue.idleSince == clock.now)

    isWaiting = waits(call(2), in: &queue)
    #expect(isWaiting)
    queue.reads(ada)
    let next = queue.nextOnFreeSlot()?.next?.call
    #expect(next?.number == 2 && queue.idleSince == nil)
    clock.advance(by: .seconds(5))
    if let next { _ = queue.leave(next, as: .uncounted) }
    #expect(queue.idleSince == clock.now)
  }
}
