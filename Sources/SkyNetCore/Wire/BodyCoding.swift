import Foundation

extension Message {
  /// A message whose body is the value as JSON, with no bulk bytes.
  package init(_ kind: FrameKind, call: UInt64 = 0, encoding value: some Encodable) {
    // The protocol's own bodies are plain structs of text and finite numbers, which always encode.
    let body = (try? JSONEncoder().encode(value)) ?? Data()
    self.init(kind, call: call, body: body)
  }

  package func decodeBody<Value: Decodable>(_ type: Value.Type) throws(WireError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: body)
    } catch let error as WireError {
      throw error
    } catch {
      throw WireError(
        .malformed, "the body of a \(kind) frame is not the JSON expected: \(error)".bounded)
    }
  }

  /// The message that the scan of a call has started.
  ///
  /// - Parameter ran: how long the scan has run already, if an earlier call began it.
  package static func started(call: UInt64, ran: Duration = .zero) -> Message {
    guard ran > .zero else { return Message(.started, call: call) }
    return Message(.started, call: call, encoding: ScanStart(ran: ran.inSeconds))
  }

  /// Reads from a `started` message how long the scan has run already.
  package func decodeStart() throws(WireError) -> Duration {
    body.isEmpty ? .zero : .seconds(try decodeBody(ScanStart.self).ran)
  }

  /// A ping; one that tells nothing has no body.
  package static func ping(telling body: PingBody) -> Message {
    body == PingBody() ? Message(.ping) : Message(.ping, encoding: body)
  }

  package func decodePing() throws(WireError) -> PingBody {
    body.isEmpty ? PingBody() : try decodeBody(PingBody.self)
  }

  /// - Parameter client: the name of the client that asked for it; `nil` if the process is about to end.
  package static func drain(askedBy client: String?) -> Message {
    guard let client else { return Message(.drain) }
    return Message(.drain, encoding: DrainNotice(by: client))
  }

  /// Reads the name of the client that asked for the drain. It is for people only, so a body that cannot be read
  /// counts as none.
  package func decodeDrainingClient() -> String? {
    guard !body.isEmpty, let notice = try? decodeBody(DrainNotice.self) else { return nil }
    return PeerName.isAllowed(notice.by) ? notice.by : nil
  }

  package func decodeHello() throws(WireError) -> Hello {
    guard kind == .hello else {
      throw WireError(.unexpected, "a \(kind) frame came before hello")
    }
    return try decodeBody(Hello.self)
  }
}
