package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MajorityWatchTest {
  private static final Logger LOGGER = Logger.getLogger(MajorityWatch.class.getName());

  private final List<Level> logged = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          logged.add(line.getLevel());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private @Nullable String obstacle;
  private final MajorityWatch watch = new MajorityWatch("a", () -> obstacle);

  @BeforeEach
  void listen() {
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    LOGGER.removeHandler(handler);
  }

  private void check(int times) {
    for (int i = 0; i < times; i++) {
      watch.check();
    }
  }

  @Test
  void missingMajority_isWarnedOfOnce_andItsReturnTold() {
    obstacle = "no majority";
    check(10);
    assertEquals(List.of(Level.WARNING), logged);
    obstacle = null;
    check(10);
    assertEquals(List.of(Level.WARNING, Level.INFO), logged);
    obstacle = "no majority";
    check(10);
    assertEquals(List.of(Level.WARNING, Level.INFO, Level.WARNING), logged);
  }

  @Test
  void shortGap_isNotTold() {
    obstacle = "no majority";
    check(2);
    obstacle = null;
    check(1);
    obstacle = "no majority";
    check(2);
    assertEquals(List.of(), logged);
  }
}
