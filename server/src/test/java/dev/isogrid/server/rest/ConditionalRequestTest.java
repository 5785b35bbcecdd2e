package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionalRequestTest {
  private static final String ENTRY = "/rest/v2/caches/plain/k";
  private static final String BEFORE = "Fri, 15 Jan 2027 07:59:59 GMT";
  private static final String SAME = "Fri, 15 Jan 2027 08:00:00 GMT";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  /** T stands for the tag's digits. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          GET    | If-None-Match | "T"              | 304
          GET    | If-None-Match | T                | 304
          GET    | If-None-Match | W/"T"            | 304
          GET    | If-None-Match | *                | 304
          GET    | If-None-Match | "1", "T"         | 304
          GET    | If-None-Match | 1,T              | 304
          GET    | If-None-Match | "1"              | 200
          GET    | If-None-Match | "T0"             | 200
          GET    | If-None-Match | "0T"             | 200
          GET    | If-None-Match | "1,T"            | 200
          GET    | If-None-Match | ""               | 200
          GET    | If-Match      | "T"              | 200
          GET    | If-Match      | T                | 200
          GET    | If-Match      | *                | 200
          GET    | If-Match      | "x" , "T"        | 200
          GET    | If-Match      | W/"T"            | 412
          GET    | If-Match      | "1"              | 412
          HEAD   | If-None-Match | "T"              | 304
          HEAD   | If-Match      | "1"              | 412
          PUT    | If-None-Match | "T"              | 304
          PUT    | If-None-Match | T                | 304
          PUT    | If-None-Match | "1"              | 204
          PUT    | If-None-Match | *                | 412
          PUT    | If-Match      | "T"              | 204
          PUT    | If-Match      | *                | 204
          PUT    | If-Match      | "1"              | 412
          PUT    | If-Match      | W/"T"            | 412
          DELETE | If-None-Match | "T"              | 204
          DELETE | If-None-Match | T                | 204
          DELETE | If-None-Match | "1"              | 412
          DELETE | If-None-Match | *                | 412
          DELETE | If-Match      | "T"              | 204
          DELETE | If-Match      | *                | 204
          DELETE | If-Match      | "1"              | 412
          POST   | If-Match      | "1"              | 412
          POST   | If-Match      | "T"              | 409
          """)
  void tagCondition_ofPresentEntry(String verb, String name, String field, int status) {
    String tag = client.put(ENTRY, "old").etag();
    String digits = tag.substring(1, tag.length() - 1);
    String header = name + ": " + field.replace("T", digits);
    TestResponse response = client.request(verb, ENTRY, header);
    assertEquals(status, response.status());
    boolean written = status == 204;
    assertEquals(!written, tag.equals(client.get(ENTRY).etag()), "entry untouched");
    if (verb.equals("GET") && status == 304) {
      assertEquals(tag, response.etag());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET    | If-None-Match: * | 404
          GET    | If-Match: *      | 404
          PUT    | If-Match: *      | 412
          PUT    | If-Match: 1      | 412
          PUT    | If-None-Match: * | 204
          PUT    | If-None-Match: 1 | 204
          DELETE | If-Match: *      | 404
          DELETE | If-None-Match: 1 | 404
          """)
  void tagCondition_ofAbsentEntry(String verb, String header, int status) {
    assertEquals(status, client.request(verb, ENTRY, header).status());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET    | If-Modified-Since   | same   | 304
          GET    | If-Modified-Since   | before | 200
          GET    | If-Unmodified-Since | same   | 200
          GET    | If-Unmodified-Since | before | 412
          PUT    | If-Unmodified-Since | same   | 204
          PUT    | If-Unmodified-Since | before | 412
          DELETE | If-Unmodified-Since | same   | 204
          DELETE | If-Unmodified-Since | before | 412
          """)
  void dateCondition_ofMortalEntry(String verb, String name, String when, int status) {
    client.put(ENTRY, "old", "timeToLiveSeconds: 1000");
    String date = when.equals("same") ? SAME : BEFORE;
    assertEquals(status, client.request(verb, ENTRY, name + ": " + date).status());
  }

  @Test
  void dateCondition_ofImmortalEntry_isLeftOut() {
    client.put(ENTRY, "old");
    assertEquals(200, client.get(ENTRY, "If-Modified-Since: " + SAME).status());
    assertEquals(200, client.get(ENTRY, "If-Unmodified-Since: " + BEFORE).status());
    assertEquals(204, client.put(ENTRY, "new", "If-Unmodified-Since: " + BEFORE).status());
  }

  @Test
  void dateCondition_besideTag_isLeftOut() {
    String tag = client.put(ENTRY, "old", "timeToLiveSeconds: 1000").etag();
    String noMatch = "If-None-Match: \"1\"";
    assertEquals(200, client.get(ENTRY, noMatch, "If-Modified-Since: " + SAME).status());
    String match = "If-Match: " + tag;
    assertEquals(200, client.get(ENTRY, match, "If-Unmodified-Since: " + BEFORE).status());
  }

  @Test
  void bothTags_areEvaluatedInOrder() {
    String tag = client.put(ENTRY, "old").etag();
    assertEquals(412, client.get(ENTRY, "If-None-Match: " + tag, "If-Match: 1").status());
    assertEquals(304, client.get(ENTRY, "If-None-Match: " + tag, "If-Match: *").status());
  }

  @Test
  void tagsInSeveralFields_areJoined() {
    String tag = client.put(ENTRY, "old").etag();
    assertEquals(304, client.get(ENTRY, "If-None-Match: 1", "If-None-Match: " + tag).status());
  }

  @Test
  void malformedDate_is400() {
    client.put(ENTRY, "old", "timeToLiveSeconds: 1000");
    assertEquals(400, client.get(ENTRY, "If-Modified-Since: yesterday").status());
    assertEquals(400, client.put(ENTRY, "new", "If-Unmodified-Since: now").status());
    assertEquals(400, client.get(ENTRY, "If-Modified-Since: " + SAME.repeat(3)).status());
    assertEquals("old", client.get(ENTRY).text());
  }

  @Test
  void tag_ofWriteBeforeRemoval_doesNotComeUpAgain() {
    String first = client.put(ENTRY, "1").etag();
    client.request("DELETE", ENTRY);
    client.put(ENTRY, "2");
    assertEquals(412, client.put(ENTRY, "3", "If-Match: " + first).status());
  }
}
