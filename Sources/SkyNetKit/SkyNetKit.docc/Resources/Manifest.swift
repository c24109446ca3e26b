// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "primes",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "skynet", path: "../skynet")],
  targets: [
    .target(name: "Primes", dependencies: [.product(name: "SkyNetKit", package: "skynet")]),
    .executableTarget(
      name: "primes-node",
      dependencies: ["Primes", .product(name: "SkyNetKit", package: "skynet")]),
    .executableTarget(
      name: "primes", dependencies: ["Primes", .product(name: "SkyNetKit", package: "skynet")],
      path: "Sources/engage"),
  ]
)
