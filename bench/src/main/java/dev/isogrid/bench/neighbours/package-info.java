/** The latency of small requests while another client runs large ones. */
@NullMarked
package dev.isogrid.bench.neighbours;

import org.jspecify.annotations.NullMarked;
