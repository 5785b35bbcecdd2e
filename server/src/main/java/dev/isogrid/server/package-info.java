/** The server as a process: its command line, its sockets, and which protocol a client speaks. */
@NullMarked
package dev.isogrid.server;

import org.jspecify.annotations.NullMarked;
