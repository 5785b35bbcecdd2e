/** The Hot Rod client. */
@SuppressWarnings("module") // the module that may read a package is compiled later
module dev.isogrid.client {
  requires transitive dev.isogrid.api;
  requires transitive dev.isogrid.types;
  requires dev.isogrid.wire;
  requires transitive org.infinispan.protostream.core;
  requires static transitive org.jspecify;

  exports dev.isogrid.client;
  exports dev.isogrid.client.spi to
      dev.isogrid.client.pooled;

  uses dev.isogrid.client.spi.LinkPoolProvider;
}
