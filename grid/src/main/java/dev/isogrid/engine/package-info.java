/** The operations of a cache: one straight function a verb, and the one path of writes. */
@NullMarked
package dev.isogrid.engine;

import org.jspecify.annotations.NullMarked;
