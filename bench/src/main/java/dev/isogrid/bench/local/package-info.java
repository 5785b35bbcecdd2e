/** The embedded cache and other maps of one JVM. */
@NullMarked
package dev.isogrid.bench.local;

import org.jspecify.annotations.NullMarked;
