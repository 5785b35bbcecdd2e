/** The effect on clients of strangers that take as many resources as a server gives them. */
@NullMarked
package dev.isogrid.bench.strangers;

import org.jspecify.annotations.NullMarked;
