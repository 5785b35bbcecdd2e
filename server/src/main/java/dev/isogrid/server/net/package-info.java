/** The shared parts of the server's protocols: buffers, limits, and the served node. */
@NullMarked
package dev.isogrid.server.net;

import org.jspecify.annotations.NullMarked;
