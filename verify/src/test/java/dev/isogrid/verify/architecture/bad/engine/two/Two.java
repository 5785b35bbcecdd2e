package dev.isogrid.verify.architecture.bad.engine.two;

import dev.isogrid.verify.architecture.bad.engine.one.One;

/** The other half. */
public interface Two {
  /** Another one, or this. */
  One next();
}
