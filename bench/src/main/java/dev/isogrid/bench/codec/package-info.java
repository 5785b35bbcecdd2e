/** Objects as bytes: time, size and allocation beside other libraries. */
@NullMarked
package dev.isogrid.bench.codec;

import org.jspecify.annotations.NullMarked;
