public import Distributed
import Foundation
import SkyNetCore

/// Turns a distributed call's arguments into a message: a JSON array, and the bulk bytes of its
/// arguments beside it.
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

  func encoded() throws -> (body: Data, bulk: Data) {
    try BodyEncoder().encode(Arguments(values: arguments))
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
  private let registry: ScanRegistry
  private var index = 0

  init(message: Message, registry: ScanRegistry) {
    self.message = message
    self.registry = registry
  }

  public mutating func decodeGenericSubstitutions() throws -> [any Any.Type] { [] }

  public mutating func decodeNextArgument<Argument: Codable>() throws -> Argument {
    defer { index += 1 }
    let decoder = BodyDecoder(registry: registry, bulk: message.bulk)
    return try decoder.decode(ArgumentAt<Argument>.self, from: message.body, index: index).value
  }

  public mutating func decodeErrorType() throws -> (any Any.Type)? { nil }
  public mutating func decodeReturnType() throws -> (any Any.Type)? { nil }

  /// One argument of the array. The array is gone through anew for each, as their types become
  /// known one at a time; there is rarely more than one.
  private struct ArgumentAt<Value: Decodable>: Decodable {
    struct Skipped: Decodable {
      init(from decoder: any Decoder) {}
    }

    let value: Value

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      let index = decoder.userInfo[.argumentIndex] as? Int ?? 0
      for _ in 0..<index { _ = try container.decode(Skipped.self) }
      value = try container.decode(Value.self)
    }
  }
}

/// Sends a distributed call's outcome back.
public struct CallResultHandler: DistributedTargetInvocationResultHandler {
  public typealias SerializationRequirement = any Codable

  let call: UInt64
  let send: @Sendable (Message) -> Void

  public func onReturn<Success: Codable>(value: Success) async throws {
    let (body, bulk) = try BodyEncoder().encode(value)
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
  }
}
