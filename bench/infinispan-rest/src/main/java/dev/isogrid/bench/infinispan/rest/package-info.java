/** A peer's REST endpoint as a program. */
@org.jspecify.annotations.NullMarked
package dev.isogrid.bench.infinispan.rest;
