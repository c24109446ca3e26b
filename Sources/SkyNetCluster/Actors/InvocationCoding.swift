// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

package import Distributed
import SkyNetCore

import struct Foundation.Data

/// Turns a distributed call into a message. The body is the call's argument, with its bulk bytes beside it;
/// the body of a call without an argument is an empty array.
package struct CallEncoder: DistributedTargetInvocationEncoder {
  package typealias SerializationRequirement = any MessageBody

  private let coder: BodyCoder
  private var message: Message?

  init(coder: BodyCoder) { self.coder = coder }

  package mutating func recordArgument<Value: MessageBody>(
    _ argument: RemoteCallArgument<Value>
  ) throws {
    guard message == nil else {
      throw CallFailure(.system, "methods of several arguments cannot be called over the network")
    }
    message = try coder.encode(argument.value, as: .call)
    // The caller holds its task until the answer comes, and the sector may be large.
    (argument.value as? ScanTask)?.letGo()
  }

  package mutating func recordGenericSubstitution<T>(_ type: T.Type) throws {
    // The receiver would have to look up a type by a name that its peer sent.
    throw CallFailure(.system, "generic distributed methods cannot be called over the network")
  }

  package mutating func recordErrorType<E: Error>(_ type: E.Type) throws {}
  package mutating func recordReturnType<R: MessageBody>(_ type: R.Type) throws {}
  package mutating func doneRecording() throws {}

  /// Takes the message out, which is then gone as soon as it is sent.
  mutating func take(calling target: UInt8) -> Message {
    var message = message.take() ?? Message(.call, body: Data("[]".utf8))
    message.target = target
    return message
  }
}

/// The types that Swift asks for to look a called method up by its name. No value of them is ever made, as nothing is
/// looked up here: ``ScanSystem/answer(_:)`` calls methods by their numbers.
package struct NoLookup: DistributedTargetInvocationDecoder,
  DistributedTargetInvocationResultHandler
{
  package typealias SerializationRequirement = any MessageBody

  private init() {}

  package mutating func decodeGenericSubstitutions() throws -> [any Any.Type] { [] }
  package mutating func decodeNextArgument<Argument: MessageBody>() throws -> Argument {
    throw CallFailure(.system, "no argument is looked up")
  }
  package mutating func decodeErrorType() throws -> (any Any.Type)? { nil }
  package mutating func decodeReturnType() throws -> (any Any.Type)? { nil }
  package func onReturn<Success: MessageBody>(value: Success) async throws {}
  package func onReturnVoid() async throws {}
  package func onThrow<Err: Error>(error: Err) async throws {}
}

/// A peer's answer to a call cannot be decoded, or is too large.
struct UnreadableAnswer: Error, CustomStringConvertible {
  let reason: String

  var description: String { "its answer cannot be read: \(reason)" }
}

extension CallFailure {
  /// The failure that stands for an error on the wire.
  init(_ error: any Error) {
    switch error {
    case let failure as CallFailure: self = failure
    case is CancellationError: self.init(.cancelled, "cancelled")
    case let refusal as SectorDataRefused: self.init(refusal)
    case let unsuited as SystemUnsuited: self.init(.unsuited, unsuited.reason)
    case let full as SystemFull: self.init(.full, full.reason)
    case let failure as UnmendableFailure: self.init(.unmendable, failure.reason)
    case let error as DecodingError: self.init(.system, "the call was not understood: \(error)")
    default: self.init(.task, "\(error)")
    }
    message = message.shortened(to: Self.longestMessage)
  }
}
