/** Figures and how they are shown. */
@NullMarked
package dev.isogrid.bench.report;

import org.jspecify.annotations.NullMarked;
