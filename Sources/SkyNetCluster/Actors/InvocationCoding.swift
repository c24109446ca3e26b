// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

package import Distributed
import SkyNetCore

/// Turns a distributed call into a message. The body is the call's argument, with its bulk bytes beside it;
/// the body of a call without an argument is an empty array.
package struct CallEncoder: DistributedTargetInvocationEncoder {
  package typealias SerializationRequirement = any Codable

  private var argument: (any Codable)?

  init() {}

  package mutating func recordArgument<Value: Codable>(_ argument: RemoteCallArgument<Value>) throws
  {
    guard self.argument == nil else {
      throw CallFailure(.system, "methods of several arguments cannot be called over the network")
    }
    self.argument = argument.value
  }

  package mutating func recordGenericSubstitution<T>(_ type: T.Type) throws {
    // The receiver would have to look up a type by a name that its peer sent.
    throw CallFailure(.system, "generic distributed methods cannot be called over the network")
  }

  package mutating func recordErrorType<E: Error>(_ type: E.Type) throws {}
  package mutating func recordReturnType<R: Codable>(_ type: R.Type) throws {}
  package mutating func doneRecording() throws {}

  func encoded(by coder: BodyCoder, calling target: UInt8) throws -> Message {
    let argument: any Codable = argument ?? [Int]()
    let (body, bulk) = try coder.encode(argument)
    return Message(.call, target: target, body: body, bulk: bulk)
  }
}

/// The decoder that Swift asks for a call's argument, of which there is one at most. `PeerLink` itself reads that of
/// `run(_:)`.
package struct CallDecoder: DistributedTargetInvocationDecoder {
  package typealias SerializationRequirement = any Codable

  let message: Message
  let coder: BodyCoder

  package mutating func decodeGenericSubstitutions() throws -> [any Any.Type] { [] }

  package mutating func decodeNextArgument<Argument: Codable>() throws -> Argument {
    try coder.decode(Argument.self, from: message)
  }

  package mutating func decodeErrorType() throws -> (any Any.Type)? { nil }
  package mutating func decodeReturnType() throws -> (any Any.Type)? { nil }
}

/// Sends the outcome of a distributed call back.
package struct CallResultHandler: DistributedTargetInvocationResultHandler {
  package typealias SerializationRequirement = any Codable

  let call: UInt64
  let coder: BodyCoder
  let send: @Sendable (Message) -> Void

  package func onReturn<Success: Codable>(value: Success) async throws {
    let (body, bulk) = try coder.encode(value)
    send(Message(.reply, call: call, body: body, bulk: bulk))
  }

  package func onReturnVoid() async throws {
    send(Message(.reply, call: call))
  }

  package func onThrow<Err: Error>(error: Err) async throws {
    send(Message(.failure, call: call, encoding: CallFailure(error)))
  }
}

extension CallFailure {
  /// The failure that stands for an error on the wire.
  init(_ error: any Error) {
    switch error {
    case let failure as CallFailure: self = failure
    case is CancellationError: self.init(.cancelled, "cancelled")
    case let refusal as SectorDataRefused: self.init(refusal)
    case let error as DecodingError: self.init(.system, "the call was not understood: \(error)")
    default: self.init(.task, "\(error)")
    }
    message = message.bounded
  }
}
