package dev.isogrid.stream;

import dev.isogrid.base.NanoClock;
import dev.isogrid.topology.NodeNames;
import java.util.concurrent.ExecutorService;

/**
 * A node that evaluates streams.
 *
 * @param names the names of this node and of those that it knows
 * @param clock its clock
 * @param pool runs functions: usually as many threads as processors
 */
record StreamNode(NodeNames names, NanoClock clock, ExecutorService pool) {}
