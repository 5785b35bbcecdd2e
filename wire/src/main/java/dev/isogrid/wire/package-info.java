/**
 * The facts of the wire that the Hot Rod client and the server share: numbers with a meaning, and
 * the function from a key's bytes to its segment. Runs on Java 17.
 */
@NullMarked
package dev.isogrid.wire;

import org.jspecify.annotations.NullMarked;
