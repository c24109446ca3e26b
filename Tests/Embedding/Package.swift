// swift-tools-version: 6.2

import PackageDescription

/// A package that embeds the cluster and needs no network. `check` builds it from clean, and fails if
/// that compiled an implementation of transport, discovery or journal, or needed one's C library. Of the
/// program that needs the detection alone it fails if that compiled anything else.
let package = Package(
  name: "embedding",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "skynet", path: "../..")],
  targets: [
    .executableTarget(
      name: "Embedding",
      dependencies: [
        .product(name: "SkyNetCore", package: "skynet"),
        .product(name: "SkyNetCluster", package: "skynet"),
        .product(name: "SkyNetTestKit", package: "skynet"),
      ]),
    .executableTarget(
      name: "Detecting", dependencies: [.product(name: "SkyDetection", package: "skynet")]),
  ]
)
