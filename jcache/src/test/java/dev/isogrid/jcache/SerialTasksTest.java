package dev.isogrid.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SerialTasksTest {
  private static final int TASKS = 10_000;

  @Test
  void add_ofManyTasks_runsThemOneAfterTheOtherInOrder() throws Exception {
    List<Integer> done = new ArrayList<>();
    CountDownLatch last = new CountDownLatch(1);
    try (ExecutorService executor = Executors.newCachedThreadPool()) {
      SerialTasks tasks = new SerialTasks(executor);
      for (int i = 0; i < TASKS; i++) {
        int number = i;
        tasks.add(() -> done.add(number));
      }
      tasks.add(last::countDown);
      assertTrue(last.await(1, TimeUnit.MINUTES));
    }
    assertEquals(TASKS, done.size());
    for (int i = 0; i < TASKS; i++) {
      assertEquals(i, done.get(i));
    }
  }

  @Test
  void taskThatFailsWithAnError_leavesTheOthers() {
    List<String> done = new ArrayList<>();
    SerialTasks tasks = new SerialTasks(Runnable::run);

    tasks.add(() -> {
      throw new AssertionError("as a test");
    });
    tasks.add(() -> done.add("next"));

    assertEquals(List.of("next"), done);
  }

  @Test
  void add_byATask_runsAfterIt() {
    List<String> done = new ArrayList<>();
    SerialTasks tasks = new SerialTasks(Runnable::run);

    tasks.add(() -> {
      tasks.add(() -> done.add("second"));
      done.add("first");
    });

    assertEquals(List.of("first", "second"), done);
  }
}
