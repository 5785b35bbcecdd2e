/**
 * Segmented containers: where entries are kept. Knows nothing of protocols, operations or a
 * cluster.
 */
@NullMarked
package dev.isogrid.store;

import org.jspecify.annotations.NullMarked;
