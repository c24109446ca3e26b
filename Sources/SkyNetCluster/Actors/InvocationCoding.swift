public import Distributed
import Foundation
import SkyNetCore

/// Turns a distributed call's arguments into a message: one argument as it is, else a JSON array of
/// them, and their bulk bytes beside it.
public struct CallEncoder: DistributedTargetInvocationEncoder {
  public typealias SerializationRequirement = any Codable

  private var arguments: [any Codable] = []

  init() {}

  public mutating func recordArgument<Value: Codable>(_ argument: RemoteCallArgument<Value>) throws
  {
    arguments.append(argument.value)
  }

  public mutating func recordGenericSubstitution<T>(_ type: T.Type) throws {
    // A type would have to be looked up by a name that a peer sent.
    throw CallFailure(.system, "generic distributed methods cannot be called over the network")
  }

  public mutating func recordErrorType<E: Error>(_ type: E.Type) throws {}
  public mutating func recordReturnType<R: Codable>(_ type: R.Type) throws {}
  public mutating func doneRecording() throws {}

  func encoded(by coder: BodyCoder, calling target: UInt8) throws -> Message {
    let (body, bulk) =
      arguments.count == 1
      ? try coder.encode(arguments[0])
      : try coder.encode(Arguments(values: arguments))
    return Message(.call, target: target, body: body, bulk: bulk)
  }

  private struct Arguments: Encodable {
    let values: [any Codable]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    }
  }
}

/// Reads a distributed call's arguments from a message, one by one.
public struct CallDecoder: DistributedTargetInvocationDecoder {
  public typealias SerializationRequirement = any Codable

  private let message: Message
  private let coder: BodyCoder
  private let argumentCount: Int
  private var index = 0

  init(message: Message, coder: BodyCoder) {
    self.message = message
    self.coder = coder
    argumentCount = CallTargets.argumentCount(of: message.target)
  }

  public mutating func decodeGenericSubstitutions() throws -> [any Any.Type] { [] }

  public mutating func decodeNextArgument<Argument: Codable>() throws -> Argument {
    defer { index += 1 }
    return argumentCount == 1
      ? try coder.decode(Argument.self, from: message)
      : try coder.decodeArgument(Argument.self, at: index, from: message)
  }

  public mutating func decodeErrorType() throws -> (any Any.Type)? { nil }
  public mutating func decodeReturnType() throws -> (any Any.Type)? { nil }
}

/// Sends a distributed call's outcome back.
public struct CallResultHandler: DistributedTargetInvocationResultHandler {
  public typealias SerializationRequirement = any Codable

  let call: UInt64
  let coder: BodyCoder
  let send: @Sendable (Message) -> Void

  public func onReturn<Success: Codable>(value: Success) async throws {
    let (body, bulk) = try coder.encode(value)
    send(Message(.reply, call: call, body: body, bulk: bulk))
  }

  public func onReturnVoid() async throws {
    send(Message(.reply, call: call))
  }

  public func onThrow<Err: Error>(error: Err) async throws {
    send(Message(.failure, call: call, encoding: CallFailure(error)))
  }
}

extension CallFailure {
  /// What a caller is told of an error.
  init(_ error: any Error) {
    switch error {
    case let failure as CallFailure: self = failure
    case is CancellationError: self.init(.cancelled, "cancelled")
    case let error as DecodingError: self.init(.system, "the call was not understood: \(error)")
    default: self.init(.task, "\(error)")
    }
    message = message.bounded
  }
}
