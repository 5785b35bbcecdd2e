/** How long a server takes to start, and what it needs when it does nothing. */
@NullMarked
package dev.isogrid.bench.start;

import org.jspecify.annotations.NullMarked;
