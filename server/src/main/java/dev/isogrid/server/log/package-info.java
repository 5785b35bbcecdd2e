/** The log of the server: one line per event on the standard error stream. */
@NullMarked
package dev.isogrid.server.log;

import org.jspecify.annotations.NullMarked;
