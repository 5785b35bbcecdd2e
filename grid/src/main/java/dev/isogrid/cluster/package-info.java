/** Membership, leases and decisions of the cluster; and how nodes send each other messages. */
@NullMarked
package dev.isogrid.cluster;

import org.jspecify.annotations.NullMarked;
