/** A pool of connections to each server, for the client in the same package. */
@NullMarked
package dev.isogrid.client;

import org.jspecify.annotations.NullMarked;
