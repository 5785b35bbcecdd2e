/** Streams over caches that are evaluated where the entries are. */
@NullMarked
package dev.isogrid.stream;

import org.jspecify.annotations.NullMarked;
