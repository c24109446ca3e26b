// One import is all that a program needs: a scan's protocols, the cluster, and the network.
@_exported public import SkyNetCluster
@_exported public import SkyNetCore
@_exported public import SkyNetDiscovery
@_exported public import SkyNetTransport
