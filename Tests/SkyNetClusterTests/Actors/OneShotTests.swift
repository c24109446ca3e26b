import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("The one-shot", .timeLimit(.minutes(20)))
struct OneShotTests {
  @Test("Tasks that wait for the value get it, and so do tasks that ask later")
  func everyone() async throws {
    let shot = OneShot<Int>()
    let waiting = (0..<5).map { _ in Task { try await shot.value() } }
    #expect(!shot.isComplete)
    #expect(shot.complete(.success(7)))
    #expect(shot.isComplete)
    for task in waiting { #expect(try await task.value == 7) }
    #expect(try await shot.value() == 7)
  }

  @Test("A second value has no effect")
  func once() async throws {
    let shot = OneShot<Int>()
    #expect(shot.complete(.failure(ProbeFailure())))
    #expect(!shot.complete(.success(7)))
    await #expect(throws: ProbeFailure.self) { try await shot.value() }
  }

  @Test("Cancelling one waiting task leaves the others waiting")
  func cancelling() async throws {
    let shot = OneShot<Int>()
    let (one, other) = (Task { try await shot.value() }, Task { try await shot.value() })
    one.cancel()
    await #expect(throws: CancellationError.self) { try await one.value }
    #expect(!shot.isComplete)
    shot.complete(.success(7))
    #expect(try await other.value == 7)
  }

  @Test("A cancelled task gets a value that is set already")
  func cancelledLater() async throws {
    let shot = OneShot<Int>()
    shot.complete(.success(7))
    let gate = Gate()
    let task = Task {
      try? await gate.pass()
      return try await shot.value()
    }
    task.cancel()
    #expect(try await task.value == 7)
  }
}
