/**
 * Map/reduce: maps the entries of a cache where they are, brings what belongs together to one node,
 * and reduces it there. {@link dev.isogrid.mapreduce.MapReduceService} is a node's part, {@link
 * dev.isogrid.mapreduce.Coordinator} has the protocol.
 */
@NullMarked
package dev.isogrid.mapreduce;

import org.jspecify.annotations.NullMarked;
