/** A load generator with a low cost: requests are bytes, many of them in flight. */
@NullMarked
package dev.isogrid.bench.load;

import org.jspecify.annotations.NullMarked;
