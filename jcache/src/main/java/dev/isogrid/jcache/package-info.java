/**
 * JCache (JSR 107) over caches of a grid: {@code Caching.getCachingProvider()} finds {@link
 * dev.isogrid.jcache.IsogridCachingProvider} on the class path.
 */
@NullMarked
package dev.isogrid.jcache;

import org.jspecify.annotations.NullMarked;
