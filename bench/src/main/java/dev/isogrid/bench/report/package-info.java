/** Figures and their presentation. */
@NullMarked
package dev.isogrid.bench.report;

import org.jspecify.annotations.NullMarked;
