package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The answer of each operation on a key, in every version, with and without the previous value. */
class StatusMatrixTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int PUT_IF_ABSENT = 0x05;
  private static final int REPLACE = 0x07;
  private static final int REPLACE_IF_UNMODIFIED = 0x09;
  private static final int REMOVE = 0x0B;
  private static final int REMOVE_IF_UNMODIFIED = 0x0D;
  private static final int CONTAINS_KEY = 0x0F;
  private static final int GET_WITH_VERSION = 0x11;
  private static final int GET_WITH_METADATA = 0x1B;

  private static final String OLD = "6f6c64";

  private final TestServer server = new TestServer().with("c");
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private static RequestBytes request(int version, int operation, boolean previous) {
    return new RequestBytes(version, operation).flags(previous ? 1 : 0).string("key");
  }

  private Response write(int version, int operation, boolean previous) {
    return connection.call(request(version, operation, previous).defaultExpiry().string("new"));
  }

  private Response writeIf(int version, int operation, boolean previous, long entryVersion) {
    RequestBytes request = request(version, operation, previous);
    if (operation == REPLACE_IF_UNMODIFIED) {
      return connection.call(request.defaultExpiry().i64(entryVersion).string("new"));
    }
    return connection.call(request.i64(entryVersion));
  }

  /** Stores "old" and returns its version. */
  private long storeOld() {
    connection.call(new RequestBytes(41, PUT).string("key").u8(0x88).string("old"));
    return version();
  }

  private long version() {
    return Long.parseLong(connection.call(request(41, GET_WITH_VERSION, false)).field("version"));
  }

  private void removeAll() {
    connection.call(new RequestBytes(41, 0x13));
  }

  private void assertPrevious(Response response, int status, int version, long entryVersion) {
    assertEquals(status, response.status());
    assertEquals(OLD, response.field("previous"));
    assertEquals(version >= 40, response.has("previous version"));
    if (version >= 40) {
      assertEquals(String.valueOf(entryVersion), response.field("previous version"));
    }
    assertEquals(version >= 40 ? 2 : 1, response.fields().size());
  }

  private static void assertBare(Response response, int status) {
    assertEquals(status, response.status());
    assertEquals(0, response.fields().size(), response::toString);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 21, 22, 24, 25, 28, 29, 30, 31, 40, 41})
  void put_inEveryVersion_answersTheMatrix(int version) {
    assertBare(write(version, PUT, false), 0);
    storeOld();
    assertBare(write(version, PUT, false), 0);
    long entryVersion = storeOld();
    assertPrevious(write(version, PUT, true), 3, version, entryVersion);

    removeAll();
    Response created = write(version, PUT, true);
    assertEquals(3, created.status());
    assertEquals("", created.field("previous"));
    if (version >= 40) {
      assertEquals("-1", created.field("previous version"));
    }
    assertEquals(
        version >= 40 ? "[previous version, previous]" : "[previous]",
        created.fields().stream().map(Response.Field::name).toList().toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 22, 28, 29, 30, 31, 40, 41})
  void putIfAbsent_inEveryVersion_answersTheMatrix(int version) {
    assertBare(write(version, PUT_IF_ABSENT, false), 0);
    removeAll();
    assertBare(write(version, PUT_IF_ABSENT, true), 0);
    long entryVersion = storeOld();
    assertBare(write(version, PUT_IF_ABSENT, false), 1);
    assertPrevious(write(version, PUT_IF_ABSENT, true), 4, version, entryVersion);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 22, 28, 29, 30, 31, 40, 41})
  void replace_inEveryVersion_answersTheMatrix(int version) {
    assertBare(write(version, REPLACE, false), 1);
    assertBare(write(version, REPLACE, true), 1);
    storeOld();
    assertBare(write(version, REPLACE, false), 0);
    long entryVersion = storeOld();
    assertPrevious(write(version, REPLACE, true), 3, version, entryVersion);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 22, 28, 29, 30, 31, 40, 41})
  void replaceIfUnmodified_inEveryVersion_answersTheMatrix(int version) {
    conditional(version, REPLACE_IF_UNMODIFIED);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 22, 28, 29, 30, 31, 40, 41})
  void removeIfUnmodified_inEveryVersion_answersTheMatrix(int version) {
    conditional(version, REMOVE_IF_UNMODIFIED);
  }

  private void conditional(int version, int operation) {
    assertBare(writeIf(version, operation, false, 5), 2);
    assertBare(writeIf(version, operation, true, 5), 2);
    long entryVersion = storeOld();
    assertBare(writeIf(version, operation, false, entryVersion + 1), 1);
    assertPrevious(writeIf(version, operation, true, entryVersion + 1), 4, version, entryVersion);
    assertBare(writeIf(version, operation, false, entryVersion), 0);
    entryVersion = storeOld();
    assertPrevious(writeIf(version, operation, true, entryVersion), 3, version, entryVersion);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 22, 28, 29, 30, 31, 40, 41})
  void remove_inEveryVersion_answersTheMatrix(int version) {
    assertBare(connection.call(request(version, REMOVE, false)), 2);
    assertBare(connection.call(request(version, REMOVE, true)), 2);
    storeOld();
    assertBare(connection.call(request(version, REMOVE, false)), 0);
    long entryVersion = storeOld();
    assertPrevious(connection.call(request(version, REMOVE, true)), 3, version, entryVersion);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 22, 28, 29, 30, 31, 40, 41})
  void reads_inEveryVersion_answerTheMatrix(int version) {
    for (int operation : new int[] {GET, GET_WITH_VERSION, GET_WITH_METADATA, CONTAINS_KEY}) {
      assertBare(connection.call(request(version, operation, false)), 2);
      long entryVersion = storeOld();
      Response found = connection.call(request(version, operation, true));
      assertEquals(0, found.status());
      if (operation != CONTAINS_KEY) {
        assertEquals(OLD, found.field("value"));
      }
      if (operation == GET_WITH_VERSION || operation == GET_WITH_METADATA) {
        assertEquals(String.valueOf(entryVersion), found.field("version"));
      }
      removeAll();
    }
  }
}
