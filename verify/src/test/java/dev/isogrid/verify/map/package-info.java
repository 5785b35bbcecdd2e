/** The contract of maps, as Guava's tests put it, for caches of all kinds. */
@NullMarked
package dev.isogrid.verify.map;

import org.jspecify.annotations.NullMarked;
