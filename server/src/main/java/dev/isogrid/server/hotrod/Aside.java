package dev.isogrid.server.hotrod;

import java.util.function.Supplier;

/** Does what takes too long for the thread of the connections. */
@FunctionalInterface
interface Aside {
  /**
   * Does work on a thread where it may block. No other request of the connection is executed
   * meanwhile.
   *
   * @param work must not touch the request's bytes nor the reply; its result completes the reply,
   *     on the connection's thread again
   */
  void run(Supplier<Runnable> work);
}
