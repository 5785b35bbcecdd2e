/**
 * Histories: the operations of clients on a key, and the search for a sequential order that
 * explains them.
 */
@NullMarked
package dev.isogrid.chaos.history;

import org.jspecify.annotations.NullMarked;
