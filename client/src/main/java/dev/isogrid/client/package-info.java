/**
 * The Hot Rod client: {@link dev.isogrid.client.RemoteCacheManager} connects to servers, {@link
 * dev.isogrid.client.RemoteCache} has the operations. One connection per server carries the
 * requests of all threads. Runs on Java 17.
 */
@NullMarked
package dev.isogrid.client;

import org.jspecify.annotations.NullMarked;
