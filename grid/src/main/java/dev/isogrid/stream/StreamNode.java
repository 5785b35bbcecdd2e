package dev.isogrid.stream;

import dev.isogrid.base.NanoClock;
import dev.isogrid.topology.NodeId;
import java.util.concurrent.ExecutorService;

/**
 * Where streams run.
 *
 * @param self the node
 * @param clock its clock
 * @param pool where functions run: as many threads as processors
 */
record StreamNode(NodeId self, NanoClock clock, ExecutorService pool) {}
