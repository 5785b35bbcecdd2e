package dev.isogrid.verify.architecture.bad.engine.one;

import dev.isogrid.verify.architecture.bad.engine.two.Two;

/** One half of a cycle. */
public interface One extends Two {}
