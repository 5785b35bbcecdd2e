package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The operations on multimaps in every version's form. */
class MultimapOperationsTest {
  private static final int GET = 0x67;
  private static final int GET_WITH_METADATA = 0x69;
  private static final int PUT = 0x6B;
  private static final int REMOVE_KEY = 0x6D;
  private static final int REMOVE_ENTRY = 0x6F;
  private static final int SIZE = 0x71;
  private static final int CONTAINS_ENTRY = 0x73;
  private static final int CONTAINS_KEY = 0x75;
  private static final int CONTAINS_VALUE = 0x77;

  private final TestServer server = new TestServer().with("c").withEncoding("text", "text/plain");
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  /** Sends a request with the fields of its operation. */
  private Response call(int version, boolean duplicates, int operation, String... fields) {
    RequestBytes request = new RequestBytes(version, operation);
    boolean hasKey = operation != SIZE && operation != CONTAINS_VALUE;
    boolean hasValue =
        operation == PUT
            || operation == REMOVE_ENTRY
            || operation == CONTAINS_ENTRY
            || operation == CONTAINS_VALUE;
    int next = 0;
    if (hasKey) {
      request.string(fields[next++]);
    }
    if (hasValue) {
      request.u8(0x88).string(fields[next]);
    }
    if (version >= 40) {
      request.u8(duplicates ? 1 : 0);
    }
    Response response = connection.call(request);
    assertEquals(operation + 1, response.operation(), response::toString);
    return response;
  }

  @ParameterizedTest
  @CsvSource({"27, false", "31, false", "40, false", "41, true"})
  void operations_onOneKey_answerWhatTheyFound(int version, boolean duplicates) {
    assertEquals(2, call(version, duplicates, GET, "k").status());
    assertEquals(2, call(version, duplicates, GET_WITH_METADATA, "k").status());
    assertEquals("0", call(version, duplicates, CONTAINS_KEY, "k").field("is"));
    assertEquals("0", call(version, duplicates, REMOVE_KEY, "k").field("is"));
    assertEquals(0, call(version, duplicates, PUT, "k", "b").status());
    assertEquals(0, call(version, duplicates, PUT, "k", "a").status());
    assertEquals(0, call(version, duplicates, PUT, "k", "b").status());
    List<String> values = duplicates ? List.of("61", "62", "62") : List.of("61", "62");
    assertEquals(values, call(version, duplicates, GET, "k").all("value"));
    Response withMetadata = call(version, duplicates, GET_WITH_METADATA, "k");
    assertEquals(values, withMetadata.all("value"));
    assertTrue(Long.parseLong(withMetadata.field("version")) > 0);
    assertEquals("" + values.size(), call(version, duplicates, SIZE).field("size"));
    assertEquals("1", call(version, duplicates, CONTAINS_KEY, "k").field("is"));
    assertEquals("1", call(version, duplicates, CONTAINS_ENTRY, "k", "b").field("is"));
    assertEquals("0", call(version, duplicates, CONTAINS_ENTRY, "k", "c").field("is"));
    assertEquals("1", call(version, duplicates, CONTAINS_VALUE, "a").field("is"));
    assertEquals("0", call(version, duplicates, CONTAINS_VALUE, "c").field("is"));
    assertEquals("0", call(version, duplicates, REMOVE_ENTRY, "k", "c").field("is"));
    assertEquals("1", call(version, duplicates, REMOVE_ENTRY, "k", "b").field("is"));
    assertEquals(List.of("61"), call(version, duplicates, GET, "k").all("value"));
    assertEquals("1", call(version, duplicates, REMOVE_KEY, "k").field("is"));
    assertEquals("0", call(version, duplicates, SIZE).field("size"));
  }

  @Test
  void cacheWithBothLayouts_repeatsNothingWithoutDuplicates() {
    call(41, true, PUT, "k", "a");
    call(41, true, PUT, "k", "a");
    call(41, false, PUT, "j", "b");
    assertEquals(List.of("61", "61"), call(41, true, GET, "k").all("value"));
    assertEquals(List.of("61"), call(41, false, GET, "k").all("value"));
    assertEquals(List.of("61"), call(31, false, GET, "k").all("value"));
    assertEquals("3", call(41, true, SIZE).field("size"));
    assertEquals("2", call(41, false, SIZE).field("size"));
  }

  @Test
  void entryThatIsNoMultimap_isRefusedAndPassedOver() {
    connection.call(new RequestBytes(41, 0x01).string("k").u8(0x77).string("plain"));
    call(41, false, PUT, "j", "b");
    Response refusal = connection.call(new RequestBytes(41, GET).string("k").u8(0));
    assertEquals(0x85, refusal.status(), refusal::toString);
    assertEquals("1", call(41, false, SIZE).field("size"));
    assertEquals("0", call(41, false, CONTAINS_VALUE, "plain").field("is"));
  }

  @Test
  void values_largeAndMany_arriveWhole() {
    String large = "v".repeat(100_000);
    for (int i = 0; i < 5; i++) {
      call(41, false, PUT, "k", large + i);
    }
    List<String> values = call(41, false, GET, "k").all("value");
    assertEquals(5, values.size());
    assertTrue(values.stream().allMatch(value -> value.length() == 2 * (large.length() + 1)));
  }

  @Test
  void values_areConvertedWhereTheCacheHasAType() {
    RequestBytes put =
        new RequestBytes(41, PUT)
            .cache("text")
            .types(13, 13)
            .string("k")
            .u8(0x77)
            .string("v")
            .u8(0);
    assertEquals(0, connection.call(put).status());
    RequestBytes get = new RequestBytes(41, GET).cache("text").types(13, 13).string("k").u8(0);
    assertEquals("v", connection.call(get).text("value"));
  }

  @Test
  void missingCache_isNotFound() {
    Response response = connection.call(new RequestBytes(41, SIZE).cache("nope").u8(0));
    assertEquals(0x84, response.status());
  }
}
