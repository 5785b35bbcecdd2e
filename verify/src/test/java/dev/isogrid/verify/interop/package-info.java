/** Clients that others wrote, unchanged, against a real server process. */
@NullMarked
package dev.isogrid.verify.interop;

import org.jspecify.annotations.NullMarked;
