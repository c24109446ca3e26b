import Logging
import SkyNetCore

/// How a node that programs cannot connect to dials them, or another node that relays their connections.
extension Node {
  /// A connection that this node has opened, and how its end is told.
  struct Dialled: Sendable {
    let link: PeerLink
    let ended = OneShot<ConnectionEnding>()
  }

  /// Dials the programs that engage until its task is cancelled. Connections that are open then stay open, as a
  /// node that drains finishes their scans.
  func dial() async {
    // Hellos carry the registered name, which is not known before.
    guard let joining, (try? await registered.value()) != nil else { return }
    let connector = Connector(
      transport: transport, actorSystem: actorSystem, clock: clock, logger: logger
    ) { connection, route in
      let dialled = Dialled(
        link: PeerLink(
          connection, actorSystem: self.actorSystem, clock: self.clock, isDialled: true,
          expecting: route.expected))
      self.dialled.continuation.yield(dialled)
      return try await dialled.ended.value()
    }
    await connector.run([joining], told: keyChanges)
  }

  /// Serves the connections that this node has opened, until its task is cancelled.
  func serveDialled() async {
    await withDiscardingTaskGroup { group in
      for await dialled in dialled.stream {
        group.addTask {
          let ending = await self.run(dialled.link)
          if ending.peer != nil, let error = ending.error, !(error is CancellationError) {
            self.logBroken(dialled.link, error)
          }
          dialled.ended.complete(.success(ending))
          await dialled.link.keepOrphans()
        }
      }
    }
  }

  // MARK: Meeting

  /// A peer that waits for this node at a process that relays.
  struct Meeting: Sendable {
    let ticket: RelayTicket
    let relay: Endpoint
  }

  /// Serves the peers that this node meets at processes that relay, until its task is cancelled.
  func serveMeetings() async {
    await withDiscardingTaskGroup { group in
      for await meeting in meetings.stream {
        group.addTask {
          do {
            let connection = try await self.transport.answer(
              at: meeting.relay, timeout: self.settings.timeout, by: meeting.ticket)
            await self.serve(connection)
          } catch let error as TransportError where error.code == .refused {
            self.refusals.log(connectionFrom: meeting.relay.description, "\(error)")
          } catch {
            // The program has gone meanwhile; if not, it asks again.
            self.logger.debug(
              "no peer was met",
              metadata: .skynet([.peer: meeting.relay.description, .reason: "\(error)"]))
          }
        }
      }
    }
  }
}
