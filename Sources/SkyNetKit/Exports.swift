// A program needs only `import SkyNetKit`: these exports bring the protocol of scans, the cluster and the network.
@_exported public import SkyNetCluster
@_exported public import SkyNetCore
@_exported public import SkyNetDiscovery
@_exported public import SkyNetTransport
