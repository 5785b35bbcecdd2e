package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IoThreadsTest {
  /** Netty looks at the clock once in 64 tasks. */
  private static final int TASKS_MAX = 128;

  /** As long as Netty runs tasks by default, and more. */
  private static final int TASKS_ALL = 2000;

  private final AtomicInteger ioRuns = new AtomicInteger();

  /** Counts how often a loop looks at its sockets. */
  private IoHandler counting(ThreadAwareExecutor executor, IoHandlerFactory factory) {
    IoHandler handler = factory.newHandler(executor);
    return (IoHandler)
        Proxy.newProxyInstance(
            IoHandler.class.getClassLoader(),
            new Class<?>[] {IoHandler.class},
            (_, method, arguments) -> {
              if (method.getName().equals("run")) {
                ioRuns.incrementAndGet();
              }
              try {
                return method.invoke(handler, arguments);
              } catch (InvocationTargetException failure) {
                throw failure.getCause();
              }
            });
  }

  /** A task of a millisecond that makes the next one, as replies of pipelined requests do. */
  private void runTask(
      EventExecutor loop, int number, int ioRunsBefore, CompletableFuture<Integer> tasks) {
    if (ioRuns.get() > ioRunsBefore || number == TASKS_ALL) {
      tasks.complete(number);
      return;
    }
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(1)) {
      Thread.onSpinWait();
    }
    loop.execute(() -> runTask(loop, number + 1, ioRunsBefore, tasks));
  }

  @Test
  void tasksWithoutEnd_letTheLoopLookAtItsSockets() {
    IoHandlerFactory nio = NioIoHandler.newFactory();
    try (IoThreads threads = new IoThreads("test", 1, executor -> counting(executor, nio))) {
      EventExecutor loop = threads.next();
      CompletableFuture<Integer> tasks = new CompletableFuture<>();
      loop.execute(() -> runTask(loop, 0, ioRuns.get(), tasks));
      int count = tasks.join();
      assertTrue(count <= TASKS_MAX, () -> "tasks in a row: " + count);
    }
  }
}
