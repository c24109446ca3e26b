import CProcess
import Foundation

/// One program's run, at this process's end: it gives the order, takes what the program writes, and
/// waits for the keeper's report.
struct RunningProgram {
  private let keeper: KeeperLink
  private let outputLimit: Int
  private let killKeeper: (KeeperLink) -> Bool
  let output = GrowingOutput()
  private(set) var errors = Data()
  private(set) var isTooLong = false
  private(set) var isCancelled = false
  /// Whether the keeper waits for another order.
  private(set) var isKeeperUsable = true
  private var stopping = Stopping.no

  private enum Stopping {
    case no
    /// The keeper was told to end the program. If it has not by the deadline, it is killed.
    case asked(deadline: Double)
    /// The launcher was told to kill the keeper.
    case killed(deadline: Double)
  }

  /// How long a keeper may take to end its program, in seconds, before it counts as stopped.
  private static let keepersTime = KeptChildren.grace + 5
  /// How long the launcher may take to end what a keeper left, in seconds.
  private static let launchersTime = 30.0

  /// - Parameter killKeeper: has the launcher kill the keeper, and returns whether it can be told.
  init(
    _ keeper: KeeperLink, outputLimit: Int, killKeeper: @escaping (KeeperLink) -> Bool
  ) {
    (self.keeper, self.outputLimit, self.killKeeper) = (keeper, outputLimit, killKeeper)
  }

  /// Has the keeper run a program, and blocks the thread until it has reported.
  ///
  /// - Throws: ``ProgramFault`` if the keeper does not report.
  mutating func perform(_ order: Data, input: Data?) throws(ProgramFault) -> KeeperReport {
    let file = try ProgramInputFile(input)
    let (output, errors) = (try ReadPipe(), try ReadPipe())
    do throws(ProcessSocket.Fault) {
      try keeper.socket.send(
        order, descriptors: [output.writing, errors.writing] + file.descriptors)
    } catch {
      try giveUpKeeper()
    }
    output.closeWriting()
    errors.closeWriting()
    while true {
      var files = [keeper.socket.socket, keeper.wake.reading, output.place, errors.place]
        .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let count = poll(&files, nfds_t(files.count), milliseconds)
      if count == 0 { try passDeadline() }
      guard count > 0 else { continue }
      if files[1].revents != 0 {
        keeper.quiet()
        isCancelled = true
        stop()
      }
      if files[2].revents != 0 { takeOutput(output) }
      if files[3].revents != 0 { takeErrors(errors) }
      guard files[0].revents != 0 else { continue }
      let report = try report()
      // The program has written all that it will. What others write to its pipes is not waited for.
      takeOutput(output, all: true)
      takeErrors(errors, all: true)
      return report
    }
  }

  private mutating func report() throws(ProgramFault) -> KeeperReport {
    guard let (message, _) = keeper.socket.receive(atMost: KeeperReport.longest),
      let report = KeeperReport(message)
    else {
      isKeeperUsable = false
      throw .keeperEnded
    }
    switch report {
    // A program may have taken descriptors from its keeper, by a limit, so that no order is understood any more.
    case .killed, .noKeeper, .notUnderstood: isKeeperUsable = false
    case .ended, .notExecuted, .noDirectory: break
    }
    return report
  }
}

extension RunningProgram {
  private mutating func takeOutput(_ pipe: ReadPipe, all: Bool = false) {
    pipe.read(all: all) { bytes in
      let room = outputLimit - output.count
      output.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(room)))
      if bytes.count > room { isTooLong = true }
      if isTooLong || output.fault != nil { stop() }
    }
  }

  private mutating func takeErrors(_ pipe: ReadPipe, all: Bool = false) {
    pipe.read(all: all) { bytes in
      errors.append(contentsOf: bytes.suffix(ProgramEnding.errorsLimit))
      errors = Data(errors.suffix(ProgramEnding.errorsLimit))
    }
  }

  /// Tells the keeper to end the program.
  private mutating func stop() {
    guard case .no = stopping else { return }
    stopping = .asked(deadline: MonotonicTime.now + Self.keepersTime)
    // A keeper that does not take it is gone, which its socket shows, or misses the deadline.
    try? keeper.socket.send(Data([KeeperMessage.stop.rawValue]))
  }

  private var milliseconds: CInt {
    switch stopping {
    case .no: -1
    case .asked(let deadline), .killed(let deadline):
      CInt(max(0, deadline - MonotonicTime.now) * 1000) + 1
    }
  }

  /// - Throws: ``ProgramFault`` if nothing can be done about it.
  private mutating func passDeadline() throws(ProgramFault) {
    isKeeperUsable = false
    guard case .asked = stopping else { throw .keeperEnded }
    try giveUpKeeper()
  }

  /// Has the launcher kill the keeper, and end what it leaves.
  private mutating func giveUpKeeper() throws(ProgramFault) {
    isKeeperUsable = false
    guard killKeeper(keeper) else { throw .launcherEnded }
    stopping = .killed(deadline: MonotonicTime.now + Self.launchersTime)
  }
}
