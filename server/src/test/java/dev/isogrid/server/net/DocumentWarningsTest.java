package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.server.LoggedLines;
import java.lang.System.Logger.Level;
import java.util.List;
import org.junit.jupiter.api.Test;

class DocumentWarningsTest {
  private final LoggedLines logged = new LoggedLines();

  private void log(String... warnings) {
    CacheConfig config = CacheConfig.builder().build();
    DocumentWarnings.log(logged, "c", new NamedCacheConfig(null, config, List.of(warnings)));
  }

  @Test
  void attributesWithoutEffect_areAWarning() {
    log("local-cache/locking@striping has no effect", "local-cache@owners has no effect");
    assertEquals(
        List.of(
            new LoggedLines.Line(
                Level.WARNING,
                "configuration of a client: cache=c, local-cache/locking@striping has no effect,"
                    + " local-cache@owners has no effect",
                null)),
        logged.lines());
  }

  @Test
  void documentThatCounts_isNotLogged() {
    log();
    assertEquals(List.of(), logged.lines());
  }
}
