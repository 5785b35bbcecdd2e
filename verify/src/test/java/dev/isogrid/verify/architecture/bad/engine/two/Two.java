package dev.isogrid.verify.architecture.bad.engine.two;

import dev.isogrid.verify.architecture.bad.engine.one.One;

/** The other half. */
public interface Two {
  /** An object of the other half. */
  One next();
}
