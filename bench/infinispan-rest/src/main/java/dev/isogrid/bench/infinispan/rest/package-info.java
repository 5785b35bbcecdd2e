/** A peer's REST endpoint as a program. */
@NullMarked
package dev.isogrid.bench.infinispan.rest;

import org.jspecify.annotations.NullMarked;
