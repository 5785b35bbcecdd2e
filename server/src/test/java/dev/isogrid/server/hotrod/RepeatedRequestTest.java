package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.security.QuickUsers;
import dev.isogrid.server.security.Users;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests with a session and a number, as bytes. */
class RepeatedRequestTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int PUT_IF_ABSENT = 0x05;
  private static final int PING = 0x17;
  private static final int AUTH = 0x23;
  private static final int WANTS_PREVIOUS = 1;
  private static final int ASKS_FOR_SESSIONS = 1 << 24;
  private static final int DONE = 0x00;
  private static final int NOT_DONE = 0x01;
  private static final int DONE_WITH_PREVIOUS = 0x03;
  private static final int MALFORMED = 0x84;
  private static final int UNKNOWN_OUTCOME = 0x86;

  private final TestServer server = new TestServer(TestServer.CONTENT_LENGTH_MAX).with("c");
  private final HotRodProtocol protocol = server.newProtocol();
  private final TestServer.Connection first = server.connect(protocol);
  private final TestServer.Connection second = server.connect(protocol);

  @AfterEach
  void close() {
    first.close();
    second.close();
    server.close();
  }

  private static RequestBytes write(int operation, String value) {
    return new RequestBytes(40, operation).string("k").u8(0x88).string(value);
  }

  private static RequestBytes put(String value, long session, long number, long ageMillis) {
    return write(PUT, value).flags(WANTS_PREVIOUS).session(session, number, ageMillis);
  }

  private static byte[] answer(TestServer.Connection connection, RequestBytes request) {
    connection.send(request.bytes());
    connection.runPendingTasks();
    return connection.received();
  }

  private static int status(TestServer.Connection connection, RequestBytes request) {
    return answer(connection, request)[3];
  }

  @ParameterizedTest
  @ValueSource(ints = {30, 31, 40, 41})
  void ping_announcesExtensions_onlyIfAsked(int version) {
    byte[] usual = answer(first, new RequestBytes(version, PING));
    byte[] asked = answer(first, new RequestBytes(version, PING).flags(ASKS_FOR_SESSIONS));
    assertEquals(usual.length + 4, asked.length);
    assertArrayEquals(
        new byte[] {0x49, 0x47, 0x49, 0x54}, Arrays.copyOfRange(asked, usual.length, asked.length));
  }

  @Test
  void ping_beforeThereAreOperationsInIt_doesNotChange() {
    byte[] usual = answer(first, new RequestBytes(29, PING));
    assertArrayEquals(usual, answer(first, new RequestBytes(29, PING).flags(ASKS_FOR_SESSIONS)));
  }

  @Test
  void put_repeatedByAnotherConnection_givesTheSameBytesAndTakesNoEffect() {
    byte[] answer = answer(first, put("mine", 5, 1, -1));
    assertEquals(DONE_WITH_PREVIOUS, answer[3]);
    first.call(write(PUT, "of another"));
    assertArrayEquals(answer, answer(second, put("mine", 5, 1, 20)));
    assertEquals("of another", value());
  }

  private String value() {
    return value(first);
  }

  private static String value(TestServer.Connection connection) {
    String hex = connection.call(new RequestBytes(40, GET).string("k")).field("value");
    return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
  }

  @Test
  void put_repeatedThatNeverCame_isCarriedOut() {
    assertEquals(DONE_WITH_PREVIOUS, status(first, put("mine", 5, 1, 20)));
    assertEquals("mine", value());
  }

  @Test
  void conditionalWrite_repeated_givesTheFirstOutcome() {
    RequestBytes putIfAbsent = write(PUT_IF_ABSENT, "mine").session(5, 1, -1);
    assertEquals(DONE, status(first, putIfAbsent));
    assertEquals(DONE, status(second, write(PUT_IF_ABSENT, "mine").session(5, 1, 20)));
    assertEquals(NOT_DONE, status(second, write(PUT_IF_ABSENT, "mine").session(0, 2, -1)));
  }

  @Test
  void number_ofAnotherSession_isAnotherOperation() {
    status(first, put("one", 5, 1, -1));
    status(second, put("two", 6, 1, 20));
    assertEquals("two", value());
  }

  @Test
  void number_thatTheClientIsDoneWith_isUnknown() {
    status(first, put("one", 5, 1, -1));
    status(first, put("two", 0, 2, -1));
    assertEquals((byte) UNKNOWN_OUTCOME, status(second, put("one", 5, 1, 20)));
    assertEquals("two", value());
  }

  @Test
  void number_withoutASession_isRefused() {
    Response refused = first.call(put("one", 0, 1, -1));
    assertTrue(refused.field("message").contains("no session"), refused.toString());
  }

  @Test
  void session_namedByARefusedRequest_isKnownToTheNext() {
    Response refused = first.call(put("one", 5, 1, -1).cache("none"));
    assertTrue(refused.field("message").contains("none"), refused.toString());
    byte[] answer = answer(first, put("two", 0, 2, -1));
    status(second, put("three", 6, 1, -1));
    assertArrayEquals(answer, answer(second, put("two", 5, 2, 20)));
    assertEquals("three", value());
  }

  @ParameterizedTest
  @ValueSource(strings = {"00", "0001", "000100", "000102", "010101", "00018101", "0001010101"})
  void sessionField_thatIsNone_isMalformed(String hex) {
    byte[] field = HexFormat.of().parseHex(hex);
    assertEquals((byte) MALFORMED, status(first, write(PUT, "v").session(field)));
  }

  @Test
  void session_belongsToItsUser(@TempDir Path folder) {
    Users users = QuickUsers.in(folder, "default");
    users.create("ada", "secret", List.of("admin"));
    users.create("bob", "secret", List.of("admin"));
    HotRodProtocol secured = server.newSecuredProtocol(folder);
    try (TestServer.Connection ada = server.connect(secured);
        TestServer.Connection bob = server.connect(secured);
        TestServer.Connection adaAgain = server.connect(secured)) {
      logIn(ada, "ada");
      logIn(bob, "bob");
      logIn(adaAgain, "ada");
      byte[] answer = answer(ada, put("of ada", 5, 1, -1));
      answer(bob, put("of bob", 5, 1, 20));
      assertArrayEquals(answer, answer(adaAgain, put("of ada", 5, 1, 20)));
      assertEquals("of bob", value(bob));
    }
  }

  private static void logIn(TestServer.Connection connection, String user) {
    RequestBytes login =
        new RequestBytes(31, AUTH).cache("").string("PLAIN").string("\0" + user + "\0secret");
    assertEquals(DONE, connection.call(login).status());
  }
}
