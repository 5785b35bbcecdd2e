/** The start-up time of a server, and its use of resources without load. */
@NullMarked
package dev.isogrid.bench.start;

import org.jspecify.annotations.NullMarked;
