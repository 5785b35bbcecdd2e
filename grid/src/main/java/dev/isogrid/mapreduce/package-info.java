/**
 * Map/reduce: maps the entries of a cache on their nodes, sends equal keys to one node, and reduces
 * them there. {@link dev.isogrid.mapreduce.MapReduceService} is a node's part, {@link
 * dev.isogrid.mapreduce.Coordinator} has the protocol.
 */
@NullMarked
package dev.isogrid.mapreduce;

import org.jspecify.annotations.NullMarked;
