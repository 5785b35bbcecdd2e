/** Runs jcstress. */
@NullMarked
package dev.isogrid.verify.stress;

import org.jspecify.annotations.NullMarked;
