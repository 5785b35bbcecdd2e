/** Measures Hot Rod clients for Java, each in a process with nothing else in it. */
@NullMarked
package dev.isogrid.bench.client;

import org.jspecify.annotations.NullMarked;
