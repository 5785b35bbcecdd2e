/** What is made of the server's libraries for an archive; runs while the archive is built. */
@NullMarked
package dev.isogrid.dist;

import org.jspecify.annotations.NullMarked;
