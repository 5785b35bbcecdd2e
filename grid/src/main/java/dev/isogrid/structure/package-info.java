/** Data structures made of the entries of caches: counters, multimaps. */
@NullMarked
package dev.isogrid.structure;

import org.jspecify.annotations.NullMarked;
