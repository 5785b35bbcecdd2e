/** Memory per entry, by the heap, by the operating system and by own count. */
@NullMarked
package dev.isogrid.bench.memory;

import org.jspecify.annotations.NullMarked;
