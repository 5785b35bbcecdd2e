/**
 * Memcached's text and binary protocols, byte by byte as in memcached 1.6, so that its clients find
 * the cache they are used to.
 */
@NullMarked
package dev.isogrid.server.memcached;

import org.jspecify.annotations.NullMarked;
