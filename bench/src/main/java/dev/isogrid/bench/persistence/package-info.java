/** The speed of caches with stores. */
@NullMarked
package dev.isogrid.bench.persistence;

import org.jspecify.annotations.NullMarked;
