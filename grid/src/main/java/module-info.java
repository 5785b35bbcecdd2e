/** The embedded grid. Programs use it through {@code dev.isogrid.api}. */
@SuppressWarnings({"module", "requires-automatic"}) // server comes later; JGroups has but a name
module dev.isogrid.grid {
  requires transitive dev.isogrid.api;
  requires transitive dev.isogrid.types;
  requires dev.isogrid.wire;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires java.management;
  requires java.xml;
  requires jdk.management;
  requires org.jgroups;
  requires static com.fasterxml.jackson.core;
  requires static com.github.luben.zstd_jni;
  requires static org.infinispan.protostream.core;
  requires static org.infinispan.protostream.types;
  requires static transitive org.jspecify;
  requires static org.snakeyaml.engine;

  exports dev.isogrid.base to
      dev.isogrid.server;
  exports dev.isogrid.cluster to
      dev.isogrid.server;
  exports dev.isogrid.codec to
      dev.isogrid.server;
  exports dev.isogrid.config to
      dev.isogrid.server;
  exports dev.isogrid.engine to
      dev.isogrid.server;
  exports dev.isogrid.journal to
      dev.isogrid.server;
  exports dev.isogrid.node to
      dev.isogrid.server;
  exports dev.isogrid.store to
      dev.isogrid.server;
  exports dev.isogrid.structure to
      dev.isogrid.server;
  exports dev.isogrid.topology to
      dev.isogrid.server;

  opens dev.isogrid.cluster to
      org.jgroups;

  uses dev.isogrid.api.CacheStoreProvider;

  provides dev.isogrid.api.GridProvider with
      dev.isogrid.node.NodeProvider;
}
