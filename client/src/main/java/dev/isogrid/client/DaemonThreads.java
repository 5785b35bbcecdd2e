package dev.isogrid.client;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes threads that don't keep a program from ending, with a common name. Thread-safe. */
final class DaemonThreads implements ThreadFactory {
  private final String name;
  private final AtomicInteger count = new AtomicInteger();

  DaemonThreads(String name) {
    this.name = name;
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task, name + "-" + count.incrementAndGet()); // tidy: a factory
    thread.setDaemon(true);
    return thread;
  }
}
