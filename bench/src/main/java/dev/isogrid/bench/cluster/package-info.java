/** Clusters of embedded nodes, ours and a peer's, under the same load in turns. */
@NullMarked
package dev.isogrid.bench.cluster;

import org.jspecify.annotations.NullMarked;
