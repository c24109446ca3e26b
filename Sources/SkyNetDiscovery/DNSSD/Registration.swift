import SkyNetCluster
import SkyNetCore

/// A registration with a DNS-SD daemon, kept up. Pure: told what happened, it says what to do.
struct Registration {
  enum Event: Equatable {
    /// Registered, under that name.
    case registered(name: String)
    /// The daemon will not have the name that was asked for, since it is in use on this machine.
    case nameTaken
    /// Not, or no longer, registered.
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
      // Also said when the daemon merely looked again at what it has, as after a change of the
      // host's name.
      guard state != .registered(name: trueName) else { return [] }
      state = .registered(name: trueName)
      return [.emit(.registered(name: trueName))]
    case .nameTaken:
      name = ServiceName.alternative(to: name)
      return [.register(name: name, after: .zero)]
    case .failed(let reason):
      // From the first again: who had the name may be gone.
      name = preferredName
      let emission: [Action] =
        state == .unavailable ? [] : [.emit(.unavailable(reason: reason))]
      state = .unavailable
      return emission + [.register(name: name, after: backoff.failed())]
    }
  }
}
