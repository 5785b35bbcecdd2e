package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FailureWatchTest {
  private final List<String> stops = new ArrayList<>();
  private @Nullable Throwable failure;
  private final FailureWatch watch = new FailureWatch(() -> failure, () -> stops.add("stop"));

  @Test
  void check_whenTheNodeFailed_stopsTheServerOnce() {
    watch.check();
    assertEquals(List.of(), stops);
    failure = new StackOverflowError("on purpose");
    watch.check();
    watch.check();
    assertEquals(List.of("stop"), stops);
  }

  @Test
  void exitCode_ofAServerWhoseNodeFailed_tellsASupervisorToStartItAgain() {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);
    assertEquals(0, Main.exitCode(null, err));
    assertEquals("", said.toString(StandardCharsets.UTF_8));
    assertEquals(3, Main.exitCode(new IllegalStateException("on\npurpose"), err));
    assertEquals(
        "isogrid: the node failed: java.lang.IllegalStateException: on purpose",
        said.toString(StandardCharsets.UTF_8).strip());
  }
}
