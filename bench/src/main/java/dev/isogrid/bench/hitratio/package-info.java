/**
 * How many requests of known access patterns are hits, with our eviction and with that of others.
 */
@NullMarked
package dev.isogrid.bench.hitratio;

import org.jspecify.annotations.NullMarked;
