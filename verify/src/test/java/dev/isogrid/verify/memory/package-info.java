/** Reported memory compared with the operating system's count, and work in a small heap. */
@NullMarked
package dev.isogrid.verify.memory;

import org.jspecify.annotations.NullMarked;
