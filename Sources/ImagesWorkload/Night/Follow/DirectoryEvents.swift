import Foundation
import SkyFiles
import SkyNetCommand
import Synchronization

/// What happens to the files of a directory, as the kernel tells it (inotify(7)). The kernel does not
/// tell what other machines do to a shared directory.
final class DirectoryEvents: Sendable {
  /// What has happened since the last ``take()``.
  struct Batch: Sendable {
    /// The files to which something happened, in the order of the last event of each, and whether it
    /// was closed after writing or renamed into place.
    var files: [(name: ExactText, isClosed: Bool)] = []
    /// Whether events were lost, so that the directory has to be listed.
    var isIncomplete = false
    /// Whether the directory itself was removed, renamed or unmounted.
    var isGone = false
  }

  private struct State {
    /// Events of each name: the last one's number, and whether the file is closed.
    var files: [ExactText: (order: Int, isClosed: Bool)] = [:]
    var count = 0
    var isIncomplete = false
    var isGone = false
    var source: (any DispatchSourceRead)?
  }

  /// More names than this are not kept; the directory is listed instead.
  private static let mostNames = 100_000

  private let state = Mutex(State())
  private let bell: Bell

  /// Watches from now on, until the object is released.
  ///
  /// - Parameter bell: rung after each event.
  /// - Returns: `nil` if the kernel tells no events, as where its limits are reached
  ///   (`fs.inotify.max_user_instances`, `max_user_watches`).
  init?(of path: String, bell: Bell) {
    #if os(Linux)
      let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      guard inotify_add_watch(descriptor, path, Self.mask) >= 0 else {
        close(descriptor)
        return nil
      }
      self.bell = bell
      state.withLock { state in
        let source = DispatchSource.makeReadSource(
          fileDescriptor: descriptor, queue: DispatchQueue(label: "skynet.follow.events"))
        source.setEventHandler { [weak self] in self?.read(descriptor) }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        state.source = source
      }
    #else
      return nil
    #endif
  }

  deinit { state.withLock { $0.source?.cancel() } }

  func take() -> Batch {
    state.withLock { state in
      let files = state.files.sorted { $0.value.order < $1.value.order }
      let batch = Batch(
        files: files.map { ($0.key, $0.value.isClosed) }, isIncomplete: state.isIncomplete,
        isGone: state.isGone)
      (state.files, state.isIncomplete) = ([:], false)
      return batch
    }
  }

  #if os(Linux)
    private static let mask =
      UInt32(IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
      | UInt32(IN_DELETE_SELF | IN_MOVE_SELF) | UInt32(IN_ONLYDIR)

    private func read(_ descriptor: CInt) {
      let events = Self.events(from: descriptor)
      guard !events.isEmpty else { return }
      state.withLock { state in
        for (mask, name) in events { Self.add(mask, name, to: &state) }
      }
      bell.ring()
    }

    /// Reads what the kernel tells: what happened, and to which file, if its name is a frame's.
    private static func events(from descriptor: CInt) -> [(mask: UInt32, name: ExactText?)] {
      // Aligned as the kernel's structs are; one event has at most 16 + 256 bytes.
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
        let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        var events: [(mask: UInt32, name: ExactText?)] = []
        var offset = 0
        let head = MemoryLayout<inotify_event>.size
        while offset + head <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let end = offset + head + Int(event.len)
          let bytes = buffer[(offset + head)..<end].prefix { $0 != 0 }
          let name = String(validating: bytes, as: UTF8.self)
          events.append((event.mask, name.flatMap { FrameName.isFrame($0) ? ExactText($0) : nil }))
          offset = end
        }
        return events
      }
    }

    private static func add(_ mask: UInt32, _ name: ExactText?, to state: inout State) {
      if mask & UInt32(IN_Q_OVERFLOW) != 0 { state.isIncomplete = true }
      if mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) != 0 {
        state.isGone = true
      }
      guard let name else { return }
      guard state.files.count < mostNames else {
        (state.files, state.isIncomplete) = ([:], true)
        return
      }
      state.count += 1
      // A file that is created anew is not closed any more.
      let isClosed = mask & UInt32(IN_CLOSE_WRITE | IN_MOVED_TO) != 0
      state.files[name] = (state.count, isClosed)
    }
  #endif
}
