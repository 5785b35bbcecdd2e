/** Micrometer binders: figures of a grid inside this process, and of a client. */
@NullMarked
package dev.isogrid.micrometer;

import org.jspecify.annotations.NullMarked;
