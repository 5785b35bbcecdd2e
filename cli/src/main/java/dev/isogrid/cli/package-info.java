/**
 * The command line for operators, {@code isogrid cli}: commands typed at a prompt, read from a
 * script or given as arguments. It speaks version 2 of REST to a server and knows nothing of the
 * grid's own classes.
 */
@NullMarked
package dev.isogrid.cli;

import org.jspecify.annotations.NullMarked;
