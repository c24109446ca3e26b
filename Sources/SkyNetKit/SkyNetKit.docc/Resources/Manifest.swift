// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "primes",
  platforms: [.macOS(.v26)],
  dependencies: [
    // Without images, no library for them is needed.
    .package(name: "skynet", path: "../skynet", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    .executableTarget(
      name: "primes",
      dependencies: [
        .product(name: "SkyNetCommand", package: "skynet"),
        .product(name: "SkyNetCore", package: "skynet"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ])
  ]
)
