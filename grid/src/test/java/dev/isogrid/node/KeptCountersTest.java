package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.CounterConfig.Storage;
import dev.isogrid.api.CounterEvent;
import dev.isogrid.api.Counters;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Env;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Persistent counters of a node that is alone. */
class KeptCountersTest {
  private static final CounterConfig STRONG =
      CounterConfig.strong(5).withStorage(Storage.PERSISTENT);
  private static final CounterConfig WEAK = CounterConfig.weak(1).withStorage(Storage.PERSISTENT);
  private static final CounterConfig BOUNDED =
      CounterConfig.boundedStrong(0, -1, 2).withStorage(Storage.PERSISTENT);

  @TempDir private Path directory;

  private void run(String file, Consumer<Counters> use) {
    try (Node node = Node.start(GridConfig.builder().build(), Env.system())) {
      node.keepCounters(directory.resolve(file));
      use.accept(node.counters());
    }
  }

  /** The file as a process that is killed now would leave it. */
  private void copy(String file, String copy) {
    try {
      Files.copy(directory.resolve(file), directory.resolve(copy));
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void counters_surviveTheNodeWithTheirDefinitions() {
    run(
        "f",
        counters -> {
          assertTrue(counters.define("s", STRONG));
          assertTrue(counters.define("€", WEAK));
          assertTrue(counters.define("b", BOUNDED));
          assertTrue(counters.define("gone", STRONG));
          assertTrue(counters.define("volatile", CounterConfig.strong(1)));
          assertEquals(12, counters.strong("s").addAndGet(7));
          counters.weak("€").add(2);
          assertThrows(RuntimeException.class, () -> counters.strong("b").addAndGet(3));
          assertTrue(counters.undefine("gone"));
        });
    run(
        "f",
        counters -> {
          assertEquals(Set.of("s", "€", "b"), counters.names());
          assertEquals(STRONG, counters.configuration("s"));
          assertEquals(WEAK, counters.configuration("€"));
          assertEquals(BOUNDED, counters.configuration("b"));
          assertEquals(12, counters.strong("s").value());
          assertEquals(3, counters.weak("€").value());
          assertEquals(2, counters.strong("b").value());
          assertFalse(counters.define("s", WEAK));
          counters.strong("s").reset();
        });
    run("f", counters -> assertEquals(5, counters.strong("s").value()));
  }

  @Test
  void change_thatWasAnswered_isInTheFile() {
    run(
        "f",
        counters -> {
          counters.define("s", STRONG);
          copy("f", "defined");
          counters.strong("s").addAndGet(1);
          copy("f", "changed");
          counters.undefine("s");
          copy("f", "undefined");
          counters.define("s", BOUNDED);
          copy("f", "again");
        });
    run("defined", counters -> assertEquals(5, counters.strong("s").value()));
    run("changed", counters -> assertEquals(6, counters.strong("s").value()));
    run("undefined", counters -> assertNull(counters.configuration("s")));
    run("again", counters -> assertEquals(BOUNDED, counters.configuration("s")));
  }

  @Test
  void change_ofAThreadThatIsInterrupted_isAnsweredAndInTheFile() {
    run(
        "f",
        counters -> {
          counters.define("s", STRONG);
          Thread.currentThread().interrupt();
          assertEquals(6, counters.strong("s").addAndGet(1));
          assertTrue(Thread.interrupted());
          copy("f", "copy");
        });
    run("copy", counters -> assertEquals(6, counters.strong("s").value()));
  }

  @Test
  void manyChanges_leaveASmallFile() throws IOException {
    run(
        "f",
        counters -> {
          counters.define("s", STRONG);
          for (int i = 0; i < 10_000; i++) {
            counters.strong("s").addAndGet(1);
          }
          copy("f", "copy");
        });
    assertTrue(Files.size(directory.resolve("copy")) <= 1 << 18);
    run("copy", counters -> assertEquals(10_005, counters.strong("s").value()));
  }

  @Test
  void record_thatWasCutOff_isLeftOut() throws IOException {
    run(
        "f",
        counters -> {
          counters.define("s", STRONG);
          counters.strong("s").addAndGet(1);
          counters.strong("s").addAndGet(1);
          copy("f", "cut");
        });
    Path cut = directory.resolve("cut");
    byte[] bytes = Files.readAllBytes(cut);
    try (var channel = Files.newByteChannel(cut, StandardOpenOption.WRITE)) {
      channel.truncate(bytes.length - 1);
    }
    run(
        "cut",
        counters -> {
          assertEquals(6, counters.strong("s").value());
          counters.strong("s").addAndGet(10);
        });
    run("cut", counters -> assertEquals(16, counters.strong("s").value()));
  }

  @Test
  void file_ofSomethingElse_isRefusedByName() throws IOException {
    Files.writeString(directory.resolve("f"), "something else entirely");
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> run("f", _ -> {}));
    assertTrue(
        String.valueOf(refusal.getMessage())
            .startsWith("kept counters can't be read: file=" + directory.resolve("f")));
  }

  @Test
  void listeners_areToldNothingOfWhatComesBack() {
    run("f", counters -> counters.define("s", STRONG));
    run(
        "f",
        counters -> {
          var told = new LinkedBlockingQueue<CounterEvent>();
          try (Subscription _ = counters.strong("s").addListener(told::add)) {
            counters.strong("s").addAndGet(1);
            assertEquals(5, take(told).oldValue());
          }
        });
  }

  private static CounterEvent take(BlockingQueue<CounterEvent> told) {
    try {
      return told.take();
    } catch (InterruptedException interruption) {
      throw new AssertionError(interruption);
    }
  }
}
