/** The contract of maps, in the form of Guava's tests, for caches of all kinds. */
@NullMarked
package dev.isogrid.verify.map;

import org.jspecify.annotations.NullMarked;
