package dev.isogrid.server;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import java.util.concurrent.Executor;

/**
 * The event loops of a server. Each alternates between its sockets and its tasks, and looks at the
 * sockets again after a few milliseconds of tasks.
 */
final class IoThreads extends MultiThreadIoEventLoopGroup {
  /*
   * Requests that are executed aside come back to the loop as tasks, and such a task begins the
   * next requests of its connection. So a client that pipelines them makes new tasks as fast as the
   * loop runs them. Netty runs tasks for up to a second in a row, and all other clients of the loop
   * wait.
   */

  /**
   * The time after which no further task runs before the sockets. Netty checks it once in 64 tasks.
   */
  private static final long TASKS_MILLIS_MAX = 5;

  /**
   * Starts the loops.
   *
   * @param name that of the threads, without their numbers
   * @param handlers make the transport of each loop
   */
  IoThreads(String name, int count, IoHandlerFactory handlers) {
    super(count, new DefaultThreadFactory(name, true), handlers);
  }

  @Override
  protected IoEventLoop newChild(
      Executor executor, IoHandlerFactory handlers, Object... arguments) {
    return new SingleThreadIoEventLoop(
        this,
        executor,
        handlers,
        Integer.MAX_VALUE, // as in Netty: a task that is refused would be a reply that is lost
        RejectedExecutionHandlers.reject(),
        TASKS_MILLIS_MAX);
  }
}
