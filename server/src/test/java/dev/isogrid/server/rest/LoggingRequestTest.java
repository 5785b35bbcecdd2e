package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.System.Logger.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoggingRequestTest {
  private static final String LOGGERS = "/rest/v2/logging/loggers";

  /** A logger's name without other users. */
  private static final String NAME = "test.of.logging";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    client.request("DELETE", LOGGERS + "/" + NAME);
    server.close();
  }

  @Test
  void set_ofALogger_holdsAtOnceUntilRemoved() {
    System.Logger logger = System.getLogger(NAME + ".Some");
    assertFalse(logger.isLoggable(Level.DEBUG));
    assertEquals(204, client.request("PUT", LOGGERS + "/" + NAME + "?level=debug").status());
    assertTrue(logger.isLoggable(Level.DEBUG));
    String listed = client.get(LOGGERS).text();
    String own = "{\"name\":\"" + NAME + "\",\"level\":\"DEBUG\",\"appenders\":[\"STDERR\"]}";
    assertTrue(listed.contains(own), listed);
    assertTrue(listed.startsWith("[{\"name\":\"\",\"level\":\""), listed);
    assertEquals(204, client.request("DELETE", LOGGERS + "/" + NAME).status());
    assertFalse(logger.isLoggable(Level.DEBUG));
    assertEquals(404, client.request("DELETE", LOGGERS + "/" + NAME).status());
  }

  @Test
  void appenders_areTheOneThatIsThere() {
    assertEquals(
        "{\"STDERR\":{\"name\":\"STDERR\"}}", client.get("/rest/v2/logging/appenders").text());
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /x?level=loud",
    "PUT, /x",
    "PUT, /x?level=info&appender=OTHER",
    "DELETE, /root"
  })
  void request_thatIsWrong_is400(String verb, String rest) {
    assertEquals(400, client.request(verb, LOGGERS + rest).status());
  }
}
