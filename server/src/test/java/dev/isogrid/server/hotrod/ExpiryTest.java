package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpiryTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int PING = 0x17;
  private static final int GET_WITH_METADATA = 0x1B;
  private static final long DAY_SECONDS = 86_400;

  private final TestServer server =
      new TestServer()
          .with("c")
          .with(
              "limited",
              TestServer.config().lifespan(60, TimeUnit.SECONDS).maxIdle(30, TimeUnit.SECONDS));
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private Response metadata(String cache) {
    return connection.call(new RequestBytes(41, GET_WITH_METADATA).cache(cache).string("k"));
  }

  private RequestBytes put(int version) {
    return new RequestBytes(version, PUT).string("k");
  }

  private void assertImmortal(String cache) {
    assertFalse(metadata(cache).has("lifespan"));
    assertFalse(metadata(cache).has("max idle"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 90, 90",
    "1, 90000, 90",
    "2, 90000000000, 90",
    "3, 90000000, 90",
    "4, 2, 120",
    "5, 2, 7200",
    "6, 2, 172800"
  })
  void put_inEveryUnit_livesAsLong(int unit, long time, long seconds) {
    connection.call(put(41).u8(unit << 4 | unit).vLong(time).vLong(time).string("v"));
    assertEquals(String.valueOf(seconds), metadata("c").field("lifespan"));
    assertEquals(String.valueOf(seconds), metadata("c").field("max idle"));
    assertEquals(String.valueOf(server.nowMillis), metadata("c").field("created"));
    server.nowMillis += TimeUnit.SECONDS.toMillis(seconds) - 1;
    assertEquals(0, connection.call(new RequestBytes(41, GET).string("k")).status());
    server.nowMillis += 1;
    assertEquals(2, connection.call(new RequestBytes(41, GET).string("k")).status());
  }

  @Test
  void getWithMetadata_ofPartsOfASecond_roundsDown() {
    connection.call(put(41).u8(0x18).vLong(1500).string("v"));
    assertEquals("1", metadata("c").field("lifespan"));
    assertFalse(metadata("c").has("max idle"));
  }

  @Test
  void put_forLessThanAMillisecond_expiresAtOnce() {
    connection.call(put(41).u8(0x28).vLong(1).string("v"));
    assertEquals(2, metadata("c").status());
  }

  @Test
  void put_forZeroFrom22On_expiresAtOnce() {
    connection.call(put(22).u8(0x00).vLong(0).vLong(0).string("v"));
    assertEquals(2, metadata("c").status());
  }

  @Test
  void put_forMoreThanCanBeCounted_lives() {
    connection.call(put(41).u8(0x66).vLong(Long.MAX_VALUE).vLong(Long.MAX_VALUE).string("v"));
    server.nowMillis *= 2;
    assertEquals(String.valueOf(Integer.MAX_VALUE), metadata("c").field("lifespan"));
  }

  @ParameterizedTest
  @ValueSource(ints = {22, 30, 41})
  void put_withDefaultUnit_takesTheCachesTimes(int version) {
    connection.call(put(version).cache("limited").u8(0x77).string("v"));
    assertEquals("60", metadata("limited").field("lifespan"));
    assertEquals("30", metadata("limited").field("max idle"));
  }

  @Test
  void put_withInfiniteUnit_livesInACacheWithLimits() {
    connection.call(put(41).cache("limited").u8(0x88).string("v"));
    assertImmortal("limited");
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 21})
  void put_ofZeroBefore22_dependsOnTheFlags(int version) {
    connection.call(put(version).cache("limited").vInt(0).vInt(0).string("v"));
    assertImmortal("limited");
    connection.call(put(version).cache("limited").flags(2).vInt(0).vInt(0).string("v"));
    assertEquals("60", metadata("limited").field("lifespan"));
    assertFalse(metadata("limited").has("max idle"));
    connection.call(put(version).cache("limited").flags(4).vInt(0).vInt(0).string("v"));
    assertFalse(metadata("limited").has("lifespan"));
    assertEquals("30", metadata("limited").field("max idle"));
    connection.call(put(version).cache("limited").flags(6).vInt(7).vInt(5).string("v"));
    assertEquals("7", metadata("limited").field("lifespan"));
    assertEquals("5", metadata("limited").field("max idle"));
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 21})
  void put_ofLessThanZeroBefore22_hasNoLimit(int version) {
    connection.call(put(version).cache("limited").flags(6).vInt(-1).vInt(-1).string("v"));
    assertImmortal("limited");
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 22, 29})
  void put_forMoreThan30DaysBefore30_isAPointInTime(int version) {
    long now = TimeUnit.MILLISECONDS.toSeconds(server.nowMillis);
    connection.call(lifespanSeconds(version, now + 100));
    assertEquals("100", metadata("c").field("lifespan"));
    connection.call(lifespanSeconds(version, 31 * DAY_SECONDS));
    assertEquals(2, metadata("c").status());
    connection.call(lifespanSeconds(version, 30 * DAY_SECONDS));
    assertEquals(String.valueOf(30 * DAY_SECONDS), metadata("c").field("lifespan"));
  }

  @ParameterizedTest
  @ValueSource(ints = {30, 31, 40, 41})
  void put_forMoreThan30DaysFrom30On_livesAsLong(int version) {
    connection.call(lifespanSeconds(version, 31 * DAY_SECONDS));
    assertEquals(String.valueOf(31 * DAY_SECONDS), metadata("c").field("lifespan"));
  }

  private RequestBytes lifespanSeconds(int version, long seconds) {
    RequestBytes put = put(version);
    return version < 22
        ? put.vInt(seconds).vInt(0).string("v")
        : put.u8(0x08).vLong(seconds).string("v");
  }

  @Test
  void put_inAnUnknownUnit_isRefused() {
    connection.send(put(41).u8(0xA7).vLong(1).string("v").bytes());
    Response response = connection.response(put(41));
    assertEquals(0x85, response.status());
    assertEquals(7, response.id());
    assertEquals("unknown unit of time: unit=10", response.field("message"));
  }

  @Test
  void put_withAMomentAsMaxIdle_isRefused() {
    askForExactTimes();
    connection.send(put(41).u8(0x89).vLong(1).string("v").bytes());
    Response response = connection.response(put(41));
    assertEquals(0x85, response.status());
    assertEquals("unknown unit of time: unit=9", response.field("message"));
  }

  /** Asks as Isogrid's client does: by a flag of the ping. */
  private void askForExactTimes() {
    Response ping = connection.call(new RequestBytes(31, PING).flags(1 << 24));
    assertTrue(ping.all("operation").contains(String.valueOf(0x4954)), ping::toString);
  }

  @Test
  void put_untilAMoment_ofAClientThatDidNotAsk_isRefused() {
    connection.call(new RequestBytes(31, PING));
    Response response =
        connection.call(put(41).u8(0x98).vLong(server.nowMillis + 1_500).string("v"));
    assertEquals(0x85, response.status());
    assertEquals("unknown unit of time: unit=9", response.field("message"));
  }

  @Test
  void put_untilAMoment_livesUntilThen() {
    askForExactTimes();
    connection.call(put(41).u8(0x98).vLong(server.nowMillis + 1_500).string("v"));
    server.nowMillis += 1_499;
    assertEquals(0, connection.call(new RequestBytes(41, GET).string("k")).status());
    server.nowMillis += 1;
    assertEquals(2, connection.call(new RequestBytes(41, GET).string("k")).status());
    connection.call(put(41).u8(0x98).vLong(server.nowMillis - 1).string("v"));
    assertEquals(2, connection.call(new RequestBytes(41, GET).string("k")).status());
  }

  @Test
  void getWithMetadata_withUnknownFlags_isInSeconds() {
    connection.call(put(41).u8(0x18).vLong(90_000).string("v"));
    for (int bit = 6; bit < 31; bit++) {
      RequestBytes request = new RequestBytes(41, GET_WITH_METADATA).flags(1 << bit).string("k");
      assertEquals("90", connection.call(request).field("lifespan"));
    }
  }

  @Test
  void getWithMetadata_inMilliseconds_isExact() {
    askForExactTimes();
    connection.call(put(41).u8(0x11).vLong(1_500).vLong(50).string("v"));
    RequestBytes request = new RequestBytes(41, GET_WITH_METADATA).flags(1 << 13).string("k");
    connection.send(request.bytes());
    connection.runPendingTasks();
    ByteBuffer answer = ByteBuffer.wrap(connection.received());
    answer.position(answer.limit() - (1 + 8 + 2 + 8 + 1 + 8 + 2));
    assertEquals(4, answer.get());
    assertEquals(server.nowMillis, answer.getLong());
    assertEquals(0xDC, answer.get() & 0xFF); // 1,500 as vLong
    assertEquals(0x0B, answer.get());
    assertEquals(server.nowMillis, answer.getLong());
    assertEquals(50, answer.get());
  }
}
