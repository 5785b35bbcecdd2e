package dev.isogrid.verify.architecture.bad.store;

import dev.isogrid.verify.architecture.bad.cluster.Link;

/** Uses a higher layer. */
public interface Knot extends Link {}
