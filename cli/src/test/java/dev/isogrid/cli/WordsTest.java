package dev.isogrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class WordsTest {
  @Test
  void of_quotesAndBlanks_asAShellHasThem() {
    assertEquals(List.of(), Words.of("  \t "));
    assertEquals(List.of("put", "a b", "c"), Words.of("put 'a b'  c"));
    assertEquals(List.of("ab c", ""), Words.of("a'b c' \"\""));
    assertEquals(List.of("say \"x\"", "it's"), Words.of("\"say \\\"x\\\"\" it\\'s"));
    assertEquals(List.of("a\\b"), Words.of("'a\\b'"));
    assertEquals(List.of("C:\\data", "a b"), Words.of("C:\\data a\\ b"));
  }

  @Test
  void of_comment_isLeftOut() {
    assertEquals(List.of(), Words.of("# all of it"));
    assertEquals(List.of("get", "a#b"), Words.of("get a#b # the rest"));
    assertEquals(List.of("get", "#1"), Words.of("get '#1'"));
    assertEquals(List.of("get", "#1"), Words.of("get \\#1"));
  }

  @Test
  void of_openQuote_isRefusedWithItsColumn() {
    String text = assertThrows(UsageFailure.class, () -> Words.of("put 'a b")).text();
    assertEquals("quote not closed: column=5; add a ', or put a backslash before it", text);
  }

  @Test
  void quoted_isReadBack() {
    for (String word : List.of("a", "", "a b", "it's", "\"", "a\\b", "#x", "it's \\ \"q\"")) {
      assertEquals(List.of(word), Words.of(Words.quoted(word)));
    }
  }
}
