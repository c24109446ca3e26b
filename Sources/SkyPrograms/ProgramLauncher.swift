import Foundation
import SkyNetCore
import SkyProcess
import Synchronization

extension Program {
  /// Starts the process that starts programs. Call it once, at the very beginning of `main`, before anything has made
  /// a thread or read a key: what is forked then holds nothing of this process.
  ///
  /// If that fails, each scan says why.
  public static func startLauncher() { ProgramLauncher.start() }
}

/// The process that starts this process's programs.
enum ProgramLauncher {
  private static let started = Mutex<Result<ProgramRunner, any Error>?>(nil)

  static func start() {
    let isNew = started.withLock { started in
      guard started == nil else { return false }
      started = Result { try ProgramRunner.start() }
      return true
    }
    guard isNew else { return }
    atexit {
      // What runs is ended, and no zombie is left to init.
      ProgramLauncher.started.withLockIfAvailable { try? $0?.get().end() }
    }
  }

  /// - Throws: `SystemUnsuited` if this process can start no programs.
  static func runner() throws(SystemUnsuited) -> ProgramRunner {
    switch started.withLock({ $0 }) {
    case .success(let runner)?: return runner
    case .failure(let error)?:
      throw SystemUnsuited("this process cannot start programs: \(error)")
    case nil:
      throw SystemUnsuited(
        "this process cannot start programs: Program.startLauncher() has to be called at the beginning of main"
      )
    }
  }
}
