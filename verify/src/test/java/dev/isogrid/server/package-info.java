/** Makes the reference of the server's options from what reads them. */
@NullMarked
package dev.isogrid.server;

import org.jspecify.annotations.NullMarked;
