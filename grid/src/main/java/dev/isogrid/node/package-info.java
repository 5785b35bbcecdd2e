/** Builds a node out of the other packages, and is the embedded API's implementation. */
@NullMarked
package dev.isogrid.node;

import org.jspecify.annotations.NullMarked;
