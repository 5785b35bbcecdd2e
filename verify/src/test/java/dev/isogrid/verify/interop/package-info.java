/** Third-party clients, unchanged, against a real server process. */
@NullMarked
package dev.isogrid.verify.interop;

import org.jspecify.annotations.NullMarked;
