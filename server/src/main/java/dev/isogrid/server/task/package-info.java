/** Tasks that are deployed in a server, and that clients run by name. */
@NullMarked
package dev.isogrid.server.task;

import org.jspecify.annotations.NullMarked;
