/** What the threads of a server allocate for a request. */
@NullMarked
package dev.isogrid.bench.path;

import org.jspecify.annotations.NullMarked;
