package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.isogrid.server.net.Intake;
import dev.isogrid.server.security.QuickUsers;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins of the text protocol, as memcached 1.6.18 with a file of users answers them. */
class TextLoginTest {
  private static final String UNAUTHENTICATED = "CLIENT_ERROR unauthenticated\n";

  @TempDir private Path folder;

  private final TestServer server = new TestServer();
  private EmbeddedChannel channel;

  @BeforeEach
  void connect() {
    QuickUsers.in(folder, "default").create("ada", "secret", List.of("admin"));
    channel = new EmbeddedChannel();
    new MemcachedProtocol(server.context(server.secured(folder), Intake.of(1 << 20)))
        .install(channel.pipeline());
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    server.close();
  }

  private String ask(String... lines) {
    String answer = TestServer.ask(channel, lines);
    channel.runPendingTasks();
    return answer + TestServer.received(channel).replace("\r\n", "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "get a",
        "version",
        "add a 0 0 10",
        "set",
        "set a 0 0",
        "set a 0 0 x",
        "set a 0 0 -1",
        "SET a 0 0 10",
        ""
      })
  void lines_thatAreNoLogin_areUnauthenticated(String line) {
    assertEquals(UNAUTHENTICATED + UNAUTHENTICATED, ask(line, "mn"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "set a 0 0 10",
        "set a x y 10",
        "set a 0 0 10 noreply",
        "set a 0 0 10 1 2 3 4 5 6 7 8",
        "set   a 0 0 +10"
      })
  void set_ofAnyShape_logsIn(String line) {
    assertEquals("STORED\nMN\n", ask(line, "ada secret", "mn"));
  }

  @Test
  void key_ofAnyLength_logsIn() {
    assertEquals("STORED\nMN\n", ask("set " + "k".repeat(300) + " 0 0 10", "ada secret", "mn"));
  }

  @Test
  void block_withoutItsEnd_isNoLogin() {
    String wrong = "CLIENT_ERROR bad command line termination\n";
    assertEquals(wrong + UNAUTHENTICATED, ask("set a 0 0 9", "ada secret"));
  }

  @Test
  void block_withoutABlank_isNoLogin() {
    String wrong = "CLIENT_ERROR bad authentication token format\n";
    assertEquals(wrong + UNAUTHENTICATED, ask("set a 0 0 3", "ada", "mn"));
  }

  @Test
  void block_thatIsTooLong_isDropped() {
    String wrong = "CLIENT_ERROR bad authentication token format\n";
    int length = TextLogin.BLOCK_LENGTH_MAX + 1;
    assertEquals(
        wrong + UNAUTHENTICATED, ask("set a 0 0 " + length, "x".repeat(length), "version"));
  }

  @Test
  void quit_beforeALogin_closes() {
    ask("quit");
    assertFalse(channel.isOpen());
  }
}
