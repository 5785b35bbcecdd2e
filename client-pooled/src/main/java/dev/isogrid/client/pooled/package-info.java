/** A pool of connections to each server, for the client. */
@NullMarked
package dev.isogrid.client.pooled;

import org.jspecify.annotations.NullMarked;
