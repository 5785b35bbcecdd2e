/** The server as a process: its command line, its sockets, and the detection of protocols. */
@NullMarked
package dev.isogrid.server;

import org.jspecify.annotations.NullMarked;
