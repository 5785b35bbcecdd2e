/** How long small requests wait while another client has large ones executed. */
@NullMarked
package dev.isogrid.bench.neighbours;

import org.jspecify.annotations.NullMarked;
