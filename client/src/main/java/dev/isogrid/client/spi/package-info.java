/**
 * The seam between the client and pools of connections, which are in a module of their own. Only
 * that module sees this package; it changes without notice.
 */
@NullMarked
package dev.isogrid.client.spi;

import org.jspecify.annotations.NullMarked;
