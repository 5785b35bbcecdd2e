/** Pools of connections for the client, which finds them by itself. */
module dev.isogrid.client.pooled {
  requires dev.isogrid.client;
  requires dev.isogrid.wire;
  requires static org.jspecify;

  provides dev.isogrid.client.spi.LinkPoolProvider with
      dev.isogrid.client.pooled.ConnectionPools;
}
