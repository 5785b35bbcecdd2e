/** Operations in all their interleavings. */
@NullMarked
package dev.isogrid.verify.lincheck;

import org.jspecify.annotations.NullMarked;
