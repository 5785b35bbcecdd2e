package dev.isogrid.verify.architecture.bad.store;

import dev.isogrid.verify.architecture.bad.cluster.Link;

/** Knows what is above it. */
public interface Knot extends Link {}
