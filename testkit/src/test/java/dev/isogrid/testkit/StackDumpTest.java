package dev.isogrid.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class StackDumpTest {
  @Test
  void write_hasVirtualThreadsToo() throws Exception {
    CountDownLatch ends = new CountDownLatch(1);
    Thread waiting = Thread.ofVirtual().name("waits-for-the-test").start(() -> await(ends));
    Await.until("a thread that waits", () -> waiting.getState() == Thread.State.WAITING);
    Path file = StackDump.write("this is a test");
    String text = Files.readString(file);
    ends.countDown();
    Files.delete(file);
    assertTrue(text.contains("waits-for-the-test"), text);
    assertTrue(text.contains("StackDumpTest.write_hasVirtualThreadsToo"), text);
  }

  private static void await(CountDownLatch ends) {
    try {
      ends.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
