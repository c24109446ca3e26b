import CProcess
import Foundation

/// Operations that a reader process must not be able to perform, attempted by the reader itself:
/// for tests, and for people who want to know whether their system confines the reader.
enum SandboxProbe {
  static func run(file: String, parent: pid_t) -> [ReaderAnswer.Trial] {
    var trials: [ReaderAnswer.Trial] = []
    func attempt(_ operation: String, _ body: () -> Int) {
      errno = 0
      let result = body()
      trials.append(ReaderAnswer.Trial(operation: operation, error: result < 0 ? errno : 0))
    }
    attempt("read the file") { Int(open(file, O_RDONLY)) }
    attempt("write a file") { Int(open(file, O_WRONLY)) }
    attempt("look for the file") { Int(access(file, R_OK)) }
    #if os(Linux)
      attempt("make a socket") { Int(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)) }
    #else
      attempt("make a socket") { Int(socket(AF_INET, SOCK_STREAM, 0)) }
    #endif
    attempt("connect") {
      var address = sockaddr()
      address.sa_family = sa_family_t(AF_UNIX)
      return Int(connect(3, &address, socklen_t(MemoryLayout<sockaddr>.size)))
    }
    attempt("fork") {
      let child = process_fork()
      if child == 0 { _exit(0) }
      return Int(child)
    }
    attempt("run a program") {
      var arguments: [UnsafeMutablePointer<CChar>?] = [nil]
      return Int(execv("/bin/true", &arguments))
    }
    attempt("signal its parent") { Int(kill(parent, 0)) }
    #if os(Linux)
      attempt("trace its parent") { process_trace(parent) }
    #endif
    attempt("have memory that is code") {
      let page = mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      return page == MAP_FAILED ? -1 : 0
    }
    return trials
  }
}
