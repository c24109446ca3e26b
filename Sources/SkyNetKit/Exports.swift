// `import SkyNetKit` is all that a program needs: it brings the protocol of scans, the cluster and the network.
@_exported public import SkyNetCluster
@_exported public import SkyNetCore
@_exported public import SkyNetDiscovery
@_exported public import SkyNetTransport
