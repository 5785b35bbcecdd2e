/** A node of the peer, for the same faults and the same load. */
@NullMarked
package dev.isogrid.chaos.infinispan;

import org.jspecify.annotations.NullMarked;
