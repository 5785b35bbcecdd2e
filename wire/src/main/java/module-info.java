/** Numbers and functions that Hot Rod clients and the server share. Not for programs. */
@SuppressWarnings("module") // the modules that may read a package are compiled later
module dev.isogrid.wire {
  requires static transitive org.jspecify;

  exports dev.isogrid.wire to
      dev.isogrid.client,
      dev.isogrid.client.pooled,
      dev.isogrid.grid,
      dev.isogrid.server,
      dev.isogrid.types;
}
