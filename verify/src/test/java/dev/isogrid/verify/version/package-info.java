/** One version everywhere. */
@NullMarked
package dev.isogrid.verify.version;

import org.jspecify.annotations.NullMarked;
