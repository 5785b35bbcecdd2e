/** What the protocols of the server share: buffers, limits, and the node they serve. */
@NullMarked
package dev.isogrid.server.net;

import org.jspecify.annotations.NullMarked;
