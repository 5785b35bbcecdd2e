/** What goes wrong, when, and for how long. */
@NullMarked
package dev.isogrid.chaos.fault;

import org.jspecify.annotations.NullMarked;
