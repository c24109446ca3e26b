import NIOCore
import SkyNetCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A server cannot listen where it was told to.
package struct WebServerError: Error, CustomStringConvertible {
  package let description: String

  init(_ endpoint: Endpoint, _ cause: any Error) {
    let reason =
      switch (cause as? IOError)?.errnoCode {
      case EADDRINUSE: "the port is in use: give another one, or 0 for any free one"
      case EACCES: "this account may not use the port: give one from 1024"
      case EADDRNOTAVAIL:
        "it is no address of this machine: give one of its own, or 0.0.0.0 for all"
      case let code?: String(cString: strerror(code))
      case nil: "the host cannot be looked up: give an address (\(cause))"
      }
    description = "cannot listen at \(endpoint): \(reason)"
  }
}
