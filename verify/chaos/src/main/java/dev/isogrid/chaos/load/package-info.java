/** Clients: what they do, and what they see. */
@NullMarked
package dev.isogrid.chaos.load;

import org.jspecify.annotations.NullMarked;
