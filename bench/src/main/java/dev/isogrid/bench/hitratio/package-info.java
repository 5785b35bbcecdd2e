/** The share of hits in known access patterns, with our eviction and with others. */
@NullMarked
package dev.isogrid.bench.hitratio;

import org.jspecify.annotations.NullMarked;
