import Dispatch
import SkyNetCluster

import class Foundation.Thread

/// The thread that owns every service reference of the process. It starts when it is first
/// needed, sleeps when nothing happens, and lives as long as the process.
enum ServiceThread {
  /// `nil` if the process had no descriptors left for it when it was first needed.
  private static let mailbox: Mailbox? = {
    AvahiLibrary.prepare()
    guard let mailbox = Mailbox() else { return nil }
    let thread = Thread { serve(mailbox) }
    thread.start()
    // Before it runs, a name is not taken on Linux.
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
        // The one who ends it may end the process next: it is withdrawn when this returns. That
        // takes a round trip to the daemon; one that does not answer gets no more than a second.
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
      case .end(let id, let whenEnded):
        sessions.removeValue(forKey: id)?.end()
        whenEnded()
      }
    }
  }
}

/// Something that runs on the service thread until it is ended.
protocol ServiceSession {
  /// Closes every reference and cancels every timer of the session.
  func end()
}
