import Logging
import SkyNetCore

/// Serves the nodes that dial a program that engages.
struct NodeAcceptor: Sendable {
  let listener: any Listener
  let links: SystemLinks
  let refusals: RefusalLogger
  let logger: Logger

  /// Accepts connections until its task is cancelled, which closes the listener and all of them.
  func run() async {
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        group.addTask { await refusals.follow(listener) }
        for await connection in listener.connections {
          group.addTask { await serve(connection) }
        }
        group.cancelAll()
      }
    } onCancel: {
      listener.close()
    }
  }

  private func serve(_ connection: any Connection) async {
    do {
      _ = try await links.serve(connection, nil)
    } catch is CancellationError {
    } catch is AlreadyConnected {
      // This process has connected to the node too, and one of the two connections is enough.
      logger.debug("a second connection", metadata: .skynet([.peer: connection.remoteAddress]))
    } catch {
      refusals.log(connectionFrom: connection.remoteAddress, "\(error)")
    }
  }
}
