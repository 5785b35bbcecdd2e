package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.ByteBudget;
import java.util.concurrent.Executor;

/** The output of listeners' events; runs users' code on threads that may block. */
interface EventOutlet extends Executor {
  /** The connection's share of the memory for waiting events. */
  ByteBudget.Share waiting();

  /** Notifies that a listener has events to send. Any thread. */
  void wake(ClientListener listener);

  /** Notifies that the client knows of a listener's registration. On the event loop. */
  void accepted(ClientListener listener);

  /** Closes the connection, since a listener can't continue. Any thread; holds locks. */
  void fail(ClientListener listener, String reason);

  /**
   * Closes the connection after the requests in progress, since the cache of a listener is gone.
   * Any thread; holds locks.
   */
  void ended(ClientListener listener);

  /** Notes an event that could not be sent. The client can't be notified of that. */
  void leftOut(String reason);
}
