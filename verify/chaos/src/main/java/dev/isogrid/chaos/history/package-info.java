/** What clients did and saw of a key, and whether an order one after the other explains it. */
@NullMarked
package dev.isogrid.chaos.history;

import org.jspecify.annotations.NullMarked;
