import Foundation

/// Processor time, in user mode and in the kernel, in seconds.
enum ProcessorTime {
  static var ofProcess: Double { time(CLOCK_PROCESS_CPUTIME_ID) }
  static var ofThread: Double { time(CLOCK_THREAD_CPUTIME_ID) }

  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
