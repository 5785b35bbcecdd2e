/**
 * Memcached's text protocol, to the byte as memcached 1.6 speaks it, so that its clients find the
 * cache they are used to.
 */
@NullMarked
package dev.isogrid.server.memcached;

import org.jspecify.annotations.NullMarked;
