/** A load generator that costs little: requests made of bytes, many on their way at once. */
@NullMarked
package dev.isogrid.bench.load;

import org.jspecify.annotations.NullMarked;
