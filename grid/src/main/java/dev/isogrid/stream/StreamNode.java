package dev.isogrid.stream;

import dev.isogrid.base.NanoClock;
import dev.isogrid.topology.NodeId;
import java.util.concurrent.ExecutorService;

/**
 * A node that evaluates streams.
 *
 * @param self the node
 * @param clock its clock
 * @param pool runs functions: as many threads as processors
 */
record StreamNode(NodeId self, NanoClock clock, ExecutorService pool) {}
