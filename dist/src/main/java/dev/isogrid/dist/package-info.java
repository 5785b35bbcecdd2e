/** Describes the libraries of an archive; runs while the archive is built. */
@NullMarked
package dev.isogrid.dist;

import org.jspecify.annotations.NullMarked;
