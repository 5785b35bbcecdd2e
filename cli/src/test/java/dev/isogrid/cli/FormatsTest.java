package dev.isogrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms of files and of what is printed. */
class FormatsTest {
  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static EntryLine random(Random random) {
    byte[] key = new byte[random.nextInt(20)];
    byte[] value = new byte[random.nextInt(200)];
    random.nextBytes(key);
    random.nextBytes(value);
    boolean isText = random.nextBoolean();
    return new EntryLine(
        isText ? utf8("key \"%d\",\r\n'ä".formatted(random.nextInt())) : key,
        isText ? utf8("1,\"2\"\n\\") : value,
        random.nextBoolean() ? "text/plain" : null,
        random.nextBoolean() ? "application/json; charset=utf-8" : null,
        random.nextBoolean() ? Long.valueOf(random.nextInt(1000) - 1) : null,
        random.nextBoolean() ? Long.valueOf(random.nextInt()) : null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "csv"})
  void entries_writtenAndRead_areTheSame(String format) throws IOException {
    long seed = Long.getLong("seed", 1);
    Random random = new Random(seed);
    EntryFile form = EntryFile.of(format, "-");
    List<EntryLine> entries = new ArrayList<>();
    StringBuilder text = new StringBuilder(form.head());
    for (int i = 0; i < 500; i++) {
      EntryLine entry = random(random);
      entries.add(entry);
      text.append(form.text(entry));
    }
    EntryFile.Source source = form.source(new StringReader(text.toString()));
    for (EntryLine entry : entries) {
      assertEquals(entry, source.next(), () -> "seed=" + seed);
    }
    assertNull(source.next());
  }

  @Test
  void controlCharacters_areNotSentToATerminal() {
    String text = "a\u001b[2J\u009bb\r\nc\td\re";
    assertEquals("a\\u001b[2J\\u009bb\r\nc\td\\u000de\n", printed(text, true));
    assertEquals(text + "\n", printed(text, false));
  }

  private static String printed(String text, boolean isTerminal) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new Printer(new PrintStream(out, true, StandardCharsets.UTF_8), Printer.Format.TEXT, isTerminal)
        .list(List.of(text));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void csv_columnsInAnyOrder_andBlankOnes() throws IOException {
    EntryFile.Source source =
        new CsvRows().source(new StringReader("ttl,value,key\r\n,\"a\"\"b\",k\r\n5,,l"));
    assertEquals(new EntryLine(utf8("k"), utf8("a\"b"), null, null, null, null), source.next());
    assertEquals(new EntryLine(utf8("l"), utf8(""), null, null, 5L, null), source.next());
    assertNull(source.next());
  }

  @Test
  void csv_blankLines_arePassedOver() throws IOException {
    EntryFile.Source source =
        new CsvRows().source(new StringReader("key,value\n\na,1\r\n\r\nb,2\n\n"));
    assertEquals(new EntryLine(utf8("a"), utf8("1"), null, null, null, null), source.next());
    assertEquals(new EntryLine(utf8("b"), utf8("2"), null, null, null, null), source.next());
    assertEquals(5, source.line());
    assertNull(source.next());
  }

  @Test
  void files_areTextInUtf8_withOrWithoutAByteOrderMark() throws IOException {
    for (String mark : List.of("", "\ufeff")) {
      assertEquals("key,ä", Utf8.reader(input(utf8(mark + "key,ä"))).readLine());
      assertNull(Utf8.reader(input(utf8(mark))).readLine());
    }
    byte[] latin = "key,ä".getBytes(StandardCharsets.ISO_8859_1);
    IOException refused =
        assertThrows(IOException.class, () -> Utf8.reader(input(latin)).readLine());
    assertEquals("it is not UTF-8 text; save it as UTF-8", FileTrouble.reason(refused));
  }

  private static InputStream input(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }

  @Test
  void csv_malformed_isRefused() {
    for (String text :
        new String[] {"a,b\n", "key,value\nx\n", "key,value\n\"x", "key,value\n\"x\"y,1\n"}) {
      EntryFile.Source source = new CsvRows().source(new StringReader(text));
      assertThrows(CommandFailure.class, source::next, text);
    }
  }

  @Test
  void jsonLines_withoutAValue_areRefused() {
    EntryFile.Source source = new JsonLines().source(new StringReader("{\"key\":\"a\"}"));
    assertThrows(CommandFailure.class, source::next);
  }

  @Test
  void form_isThatOfTheName() {
    assertTrue(EntryFile.of(null, "A.CSV") instanceof CsvRows);
    assertTrue(EntryFile.of(null, "a.json") instanceof JsonLines);
    assertTrue(EntryFile.of("json", "a.csv") instanceof JsonLines);
    assertThrows(UsageFailure.class, () -> EntryFile.of("xml", "a"));
  }

  @Test
  void pattern_fitsWholeKeys() {
    assertTrue(new KeyPattern("user:*").fits("user:\n1"));
    assertTrue(new KeyPattern("a?c*").fits("abc"));
    assertFalse(new KeyPattern("a?c").fits("ac"));
    assertFalse(new KeyPattern("user").fits("user:1"));
    assertTrue(new KeyPattern("a.b[c]").fits("a.b[c]"));
    assertFalse(new KeyPattern("a.b").fits("aXb"));
  }

  @Test
  void metrics_areRead() {
    List<MetricsText.Sample> samples =
        MetricsText.parse(
            """
            # HELP a text
            a{cache="x \\"y\\"",node="n"} 1.5
            b_total 3.0E7
            c{} +Inf
            """);
    assertEquals(
        List.of(
            new MetricsText.Sample("a", Map.of("cache", "x \"y\"", "node", "n"), 1.5),
            new MetricsText.Sample("b_total", Map.of(), 3e7),
            new MetricsText.Sample("c", Map.of(), Double.POSITIVE_INFINITY)),
        samples);
  }

  @Test
  void progress_saysRateAndTimeLeft() {
    long seconds = TimeUnit.SECONDS.toNanos(10);
    assertEquals(
        "10,000 entries, 1,000/s, 25 %, 30 s left",
        Progress.line("entries", 10_000, 25, 100, seconds));
    assertEquals(
        "10 entries, 1/s, 1 %, 16:30 min left", Progress.line("entries", 10, 1, 100, seconds));
    assertEquals("waiting for the server, 10 s", Waiting.line(seconds));
    assertNull(Waiting.line(TimeUnit.SECONDS.toNanos(2) - 1));
    assertEquals("20 KiB, 2/s", Progress.line("KiB", 20, 0, 0, seconds));
    assertEquals("10 entries, 1/s", Progress.line("entries", 10, 10, 0, seconds));
  }

  @Test
  void table_hasNumbersOnTheRight() {
    assertEquals(
        List.of("name  size", "a       10", "bb       -"),
        Printer.align(List.of("name", "size"), List.of(List.of("a", 10), List.of("bb", "-"))));
  }

  @Test
  void size_hasFewDigits() {
    assertEquals("999 B", TopFrame.size(999));
    assertEquals("1.0 KiB", TopFrame.size(1024));
    assertEquals("512 MiB", TopFrame.size(512L << 20));
    assertEquals("-", TopFrame.size(Double.NaN));
  }

  @Test
  void address_isCompleted() {
    assertEquals("http://h:11222", Target.url("h").toString());
    assertEquals("https://h:443", Target.url("https://h:443/rest").toString());
    assertEquals("http://[::1]:1", Target.url("[::1]:1").toString());
    assertThrows(UsageFailure.class, () -> Target.url("hotrod://h"));
    assertThrows(UsageFailure.class, () -> Target.url("http://user:secret@h"));
    assertThrows(UsageFailure.class, () -> Target.url("a b"));
  }

  @Test
  void json_isReadAndWritten() {
    String text = "{\"a\":[1,2.50,true,null,\"\\u0001\\\"\"],\"b\":{}}";
    assertEquals(text, JsonText.line(JsonText.parse(text)));
    assertThrows(CommandFailure.class, () -> JsonText.parse("{} x"));
    assertThrows(CommandFailure.class, () -> JsonText.parse(""));
    assertThrows(CommandFailure.class, () -> JsonText.parse("{"));
  }

  @Test
  void path_isEncoded() {
    RestRequest request =
        RestRequest.get("caches", "ä/b").segment(new byte[] {0, 'a', (byte) 0xff});
    assertEquals(
        "/rest/v2/caches/%C3%A4%2Fb/%00a%FF?action=x%20%26",
        request.query("action", "x &").target());
    assertEquals("/rest/v2/caches/%2E%2E", RestRequest.get("caches", "..").target());
  }

  @Test
  void troublesWithFiles_areSaidInWords() {
    assertEquals(
        "there is no such file", FileTrouble.reason(new NoSuchFileException("entries.csv")));
    assertEquals("this user may not", FileTrouble.reason(new AccessDeniedException("entries.csv")));
    assertEquals(
        "Is a directory",
        FileTrouble.reason(new FileSystemException("entries.csv", null, "Is a directory")));
    assertEquals("java.io.IOException: cut off", FileTrouble.reason(new IOException("cut off")));
  }
}
