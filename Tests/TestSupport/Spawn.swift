package import Foundation

/// Starts a process with no open files except its standard streams: this input, or an empty one, and these two outputs.
///
/// Foundation's `Process` looks up the open files itself, and has crashed when other threads opened
/// and closed files meanwhile.
package func spawn(
  _ program: String, _ arguments: [String], _ environment: [String: String], input: Int32? = nil,
  output: Int32, errors: Int32
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  if let input {
    posix_spawn_file_actions_adddup2(&actions, input, 0)
  } else {
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  }
  posix_spawn_file_actions_adddup2(&actions, output, 1)
  posix_spawn_file_actions_adddup2(&actions, errors, 2)
  try closeOthers(&actions)
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  // The process gets the default signal handling, whatever this process ignores or blocks.
  var (none, all) = (sigset_t(), sigset_t())
  sigemptyset(&none)
  sigfillset(&all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  posix_spawnattr_setflags(
    &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  var words = ([program] + arguments).map { strdup($0) } + [nil]
  var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
  defer { for text in words + variables { free(text) } }
  var id: pid_t = 0
  let status = posix_spawn(&id, program, &actions, &attributes, &words, &variables)
  guard status == 0 else { throw NotSpawned("\(program): \(String(cString: strerror(status)))") }
  return id
}

/// Makes the new process close all files except its standard streams.
private func closeOthers(_ actions: inout posix_spawn_file_actions_t) throws {
  // Glibc has the function since 2.34, but its Swift module leaves it out.
  typealias CloseFrom =
    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
  let name = "posix_spawn_file_actions_addclosefrom_np"
  guard let symbol = dlsym(nil, name) else { throw NotSpawned("there is no \(name)") }
  _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, 3)
}

/// Makes a pipe whose ends other programs do not inherit: one that is started meanwhile would keep the stream open.
/// Foundation's `Pipe` is inherited.
package func makePipe() throws -> (reading: FileHandle, writing: FileHandle) {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { throw NotSpawned("pipe: \(String(cString: strerror(errno)))") }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (
    FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
    FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
  )
}

/// A process could not be started.
struct NotSpawned: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
