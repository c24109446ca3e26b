package import Logging
package import SkyNetCluster
import SkyNetCore
import Synchronization

/// Peers that were named by hand. Names are looked up by the system's resolver, and again for as long as the
/// stream lasts: addresses that appear behind a name are found, and those that vanish are lost.
///
/// So peers are found by plain DNS, by a Kubernetes headless service, by Consul, by the names of a container
/// network. A literal address is never looked up, and never lost.
package struct NamedPeers: Discovery {
  private let references: [PeerReference]
  private let lookup: any NameLookup
  private let logger: Logger

  /// - Parameters:
  ///   - references: where the peers are.
  ///   - logger: takes a warning for each name that cannot be looked up, once while that lasts, or whose first lookup
  ///     has not ended when the stream does.
  package init(
    _ references: [PeerReference], logger: Logger = Logger(label: "skynet.names")
  ) {
    self.init(references, by: SystemResolver(), logger: logger)
  }

  init(_ references: [PeerReference], by lookup: any NameLookup, logger: Logger) {
    self.references = references
    self.lookup = lookup
    self.logger = logger
  }

  /// Yields each literal address at once, and the addresses of names as they become known. Each name has a thread
  /// while the stream lasts, so that a slow name server holds up no other name.
  package func events() -> AsyncStream<DiscoveryEvent> {
    AsyncStream { events in
      let addresses = Mutexed(NamedAddresses())
      var threads: [RepeatingThread] = []
      for reference in Set(references) {
        if case .endpoint(let endpoint) = reference, endpoint.hasLiteralHost {
          // The same decisions count a name that leads to this address.
          addresses.decide(events) {
            $0.answered(reference, NameAnswer(endpoints: [endpoint], lifetime: nil))
          }
        } else {
          threads.append(
            RepeatingThread.start("name-lookup") { [lookup, logger] in
              Self.lookUp(reference, by: lookup, addresses, events, logger)
            })
        }
      }
      events.onTermination = { [threads, references, logger] _ in
        for thread in threads { thread.stop() }
        for line in addresses.end(references) { logger.warning("\(line)") }
      }
    }
  }

  /// Looks a name up once, and returns how long to wait before the next time.
  private static func lookUp(
    _ reference: PeerReference, by lookup: any NameLookup, _ addresses: Mutexed,
    _ events: AsyncStream<DiscoveryEvent>.Continuation, _ logger: Logger
  ) -> Duration {
    let step: NamedAddresses.Step
    do throws(LookupFailure) {
      let answer = try lookup.lookUp(reference)
      step = addresses.decide(events) { $0.answered(reference, answer) }
    } catch {
      step = addresses.decide(events) { $0.failed(reference, error) }
    }
    switch step.line {
    case .warning(let text): logger.warning("\(text)")
    case .info(let text): logger.info("\(text)")
    case nil: break
    }
    return step.wait
  }

  /// The decisions, which the threads of all names share.
  private final class Mutexed: Sendable {
    private let state: Mutex<NamedAddresses>

    init(_ addresses: NamedAddresses) { state = Mutex(addresses) }

    /// Decides, and yields the events under the lock, so that they come in the order of the decisions.
    @discardableResult
    func decide(
      _ events: AsyncStream<DiscoveryEvent>.Continuation,
      _ body: (inout NamedAddresses) -> NamedAddresses.Step
    ) -> NamedAddresses.Step {
      state.withLock { state in
        let step = body(&state)
        for event in step.events { events.yield(event) }
        return step
      }
    }

    func end(_ references: [PeerReference]) -> [String] {
      state.withLock { $0.ended(references) }
    }
  }
}
