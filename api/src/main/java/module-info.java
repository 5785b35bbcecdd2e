/** The interfaces that programs and server tasks are written against. */
module dev.isogrid.api {
  requires static transitive org.jspecify;

  exports dev.isogrid.api;
  exports dev.isogrid.api.function;

  uses dev.isogrid.api.GridProvider;
}
