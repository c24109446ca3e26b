import SkyNetCluster
import SkyNetCore

/// Performs the actions of a `Registration`, on the service thread.
final class AdvertiseSession: ServiceSession {
  private let loop: ServiceLoop
  private let type: ServiceType
  private let port: UInt16
  private let text: TXTRecord
  /// The interface to advertise on; `nil` for all.
  private let interface: UInt32?
  private let events: AsyncStream<AdvertisementEvent>.Continuation
  private var registration: Registration
  private var reference: ServiceReference?
  private var timer: ServiceLoop.TimerID?

  /// - Precondition: `DNSSD.validate` accepts the advertisement's name.
  init(
    _ advertisement: Advertisement, as type: ServiceType, on loop: ServiceLoop,
    _ events: AsyncStream<AdvertisementEvent>.Continuation
  ) {
    self.loop = loop
    self.type = type
    port = UInt16(advertisement.port)
    text = TXTRecord(advertisement)
    let isLocal = advertisement.address.map {
      Endpoint(host: $0, port: advertisement.port).isLoopback
    }
    interface = isLocal == true ? MachineAddresses.loopbackInterface : nil
    self.events = events
    registration = Registration(name: advertisement.name)
    register(advertisement.name)
  }

  func end() {
    if let timer { loop.cancel(timer) }
    timer = nil
    reference?.close()
    reference = nil
  }

  private func register(_ name: String) {
    do {
      let reference = try type.register(name, port: port, text: text, on: interface)
      self.reference = reference
      loop.watch(reference) { [unowned self] in handle($0) }
    } catch {
      handle(.failed(error))
    }
  }

  private func handle(_ answer: ServiceReference.Answer) {
    switch answer {
    case .registered(let name): perform(registration.handle(.registered(name: name)))
    case .failed(let error):
      end()
      perform(
        registration.handle(
          error.isNameConflict ? .nameTaken : .failed(reason: error.description)))
    case .instance, .resolved, .record: break  // Not an answer to a registration.
    }
  }

  private func perform(_ actions: [Registration.Action]) {
    for action in actions {
      switch action {
      case .emit(let event): events.yield(event)
      case .register(let name, let wait):
        // Through the loop even without a wait, so that a series of taken names is no recursion.
        timer = loop.schedule(after: wait) { [unowned self] in register(name) }
      }
    }
  }
}
