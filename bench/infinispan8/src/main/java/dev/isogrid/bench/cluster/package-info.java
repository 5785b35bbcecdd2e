/** A node of Infinispan 8. */
@NullMarked
package dev.isogrid.bench.cluster;

import org.jspecify.annotations.NullMarked;
