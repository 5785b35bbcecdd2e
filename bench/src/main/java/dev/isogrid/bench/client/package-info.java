/** Measures Hot Rod clients for Java, each in a process that runs nothing else. */
@NullMarked
package dev.isogrid.bench.client;

import org.jspecify.annotations.NullMarked;
