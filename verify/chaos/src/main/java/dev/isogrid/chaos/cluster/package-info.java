/** Nodes in processes of their own, and the network between them. */
@NullMarked
package dev.isogrid.chaos.cluster;

import org.jspecify.annotations.NullMarked;
