/** Who is on the other side of a connection, what they may do, and what nobody else may read. */
@NullMarked
package dev.isogrid.server.security;

import org.jspecify.annotations.NullMarked;
