import Dispatch
import SkyNetCluster

import class Foundation.Thread

/// The thread that owns every service reference of the process. It starts when it is first needed, sleeps while
/// nothing happens, and ends with the process.
enum ServiceThread {
  /// `nil` if the process had too few descriptors left at the first use.
  private static let mailbox: Mailbox? = {
    AvahiLibrary.prepare()
    guard let mailbox = Mailbox() else { return nil }
    let thread = Thread { serve(mailbox) }
    thread.start()
    // On Linux a thread takes a name only once it runs.
    thread.name = "dns-sd"
    return mailbox
  }()

  static func events(of type: ServiceType) -> AsyncStream<DiscoveryEvent> {
    AsyncStream { continuation in
      guard let mailbox else {
        continuation.yield(.unavailable(reason: noDescriptors))
        return continuation.finish()
      }
      let id = mailbox.newSession()
      mailbox.post(.browse(id, type, continuation))
      continuation.onTermination = { _ in mailbox.post(.end(id, whenEnded: {})) }
    }
  }

  /// Has all streams of this type look up a name again.
  static func lookAgain(for name: String, of type: ServiceType) {
    mailbox?.post(.lookAgain(name, type))
  }

  static func advertise(
    _ advertisement: Advertisement, as type: ServiceType
  ) -> AsyncStream<AdvertisementEvent> {
    AsyncStream { continuation in
      guard let mailbox else {
        continuation.yield(.unavailable(reason: noDescriptors))
        return continuation.finish()
      }
      let id = mailbox.newSession()
      mailbox.post(.advertise(id, type, advertisement, continuation))
      continuation.onTermination = { _ in
        // The caller may exit next, so this waits until the advertisement is withdrawn. That takes a round
        // trip to the daemon, and a second at most if the daemon does not answer.
        let ended = DispatchSemaphore(value: 0)
        mailbox.post(.end(id, whenEnded: { ended.signal() }))
        _ = ended.wait(timeout: .now() + .seconds(1))
      }
    }
  }

  private static let noDescriptors = ServiceError.noDescriptors.description

  private static func serve(_ mailbox: Mailbox) -> Never {
    let loop = ServiceLoop()
    var sessions: [Mailbox.SessionID: any ServiceSession] = [:]
    loop.run(mailbox) { command in
      switch command {
      case .browse(let id, let type, let events):
        sessions[id] = BrowseSession(type, on: loop, events)
      case .advertise(let id, let type, let advertisement, let events):
        sessions[id] = AdvertiseSession(advertisement, as: type, on: loop, events)
      case .lookAgain(let name, let type):
        for case let session as BrowseSession in sessions.values where session.type == type {
          session.lookAgain(for: name)
        }
      case .end(let id, let whenEnded):
        sessions.removeValue(forKey: id)?.end()
        whenEnded()
      }
    }
  }
}

/// Work on the service thread, until `end()`.
protocol ServiceSession {
  /// Closes every reference and cancels every timer of the session.
  func end()
}
