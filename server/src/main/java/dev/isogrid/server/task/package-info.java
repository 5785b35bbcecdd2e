/** Tasks that are deployed in a server, and run by clients by their names. */
@NullMarked
package dev.isogrid.server.task;

import org.jspecify.annotations.NullMarked;
