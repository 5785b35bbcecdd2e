/** Marshallers of objects, records and collections. */
module dev.isogrid.types {
  requires transitive dev.isogrid.api;
  requires dev.isogrid.wire;
  requires transitive org.infinispan.protostream.core;
  requires org.infinispan.protostream.types;
  requires static transitive org.jspecify;

  exports dev.isogrid.types;
}
