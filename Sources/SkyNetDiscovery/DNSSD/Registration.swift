import SkyNetCluster
import SkyNetCore

/// Decides how to keep a name registered with a DNS-SD daemon. It is pure: it takes events and returns the
/// actions to perform.
struct Registration {
  enum Event: Equatable {
    /// The daemon has registered the service, under this name.
    case registered(name: String)
    /// The daemon rejects the requested name, as it is in use on this machine.
    case nameTaken
    /// The service could not be registered, or is no longer.
    case failed(reason: String)
  }

  enum Action: Equatable {
    case register(name: String, after: Duration)
    case emit(AdvertisementEvent)
  }

  private enum State: Equatable {
    case started
    case registered(name: String)
    case unavailable
  }

  private let preferredName: String
  private var name: String
  private var state = State.started
  private var backoff = Backoff.forDaemon

  init(name: String) {
    preferredName = name
    self.name = name
  }

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .registered(let trueName):
      backoff.succeeded()
      // The daemon also reports a name that has not changed, for instance after a change of the host's name.
      guard state != .registered(name: trueName) else { return [] }
      state = .registered(name: trueName)
      return [.emit(.registered(name: trueName))]
    case .nameTaken:
      name = ServiceName.alternative(to: name)
      return [.register(name: name, after: .zero)]
    case .failed(let reason):
      // Begins with the preferred name again, which may be free by now.
      name = preferredName
      let emission: [Action] =
        state == .unavailable ? [] : [.emit(.unavailable(reason: reason))]
      state = .unavailable
      return emission + [.register(name: name, after: backoff.failed())]
    }
  }
}
