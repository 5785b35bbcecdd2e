package dev.isogrid.bench.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WordTextsTest {
  private static final WordTexts.Spec SPEC = new WordTexts.Spec(8000, 1, 20, 100);

  private static Map<String, Long> counts(WordTexts.Spec spec, int texts) {
    Map<String, Long> counts = new HashMap<>();
    WordTexts all = new WordTexts(spec);
    for (int i = 0; i < texts; i++) {
      WordTexts.count(counts, all.text(i));
    }
    return counts;
  }

  @Test
  void words_ofSeveralLengths_areAsManyOfEach() {
    Map<Integer, Long> byLength =
        counts(SPEC, 10).keySet().stream()
            .collect(Collectors.groupingBy(String::length, Collectors.counting()));

    assertEquals(20, byLength.size());
    assertEquals(
        Map.of(5L, 20L),
        byLength.values().stream()
            .collect(Collectors.groupingBy(count -> count, Collectors.counting())));
  }

  @Test
  void words_moreThanAreAsShort_areDistinctAllTheSame() {
    assertEquals(40, counts(new WordTexts.Spec(8000, 1, 1, 40), 10).size());
  }

  @Test
  void text_asLongAsWanted_endsAfterAWord() {
    String text = new WordTexts(SPEC).text(3);

    assertTrue(text.length() >= 8000 && text.length() <= 8020, () -> "" + text.length());
    assertTrue(text.endsWith(" "), text);
    assertEquals(text, new WordTexts(SPEC).text(3));
    assertNotEquals(text, new WordTexts(SPEC).text(4));
  }

  @Test
  void digest_ofAnotherCount_isAnother() {
    Map<String, Long> counts = counts(SPEC, 2);
    long digest = WordTexts.digest(counts);

    counts.merge(counts.keySet().iterator().next(), 1L, Long::sum);

    assertNotEquals(digest, WordTexts.digest(counts));
  }

  @Test
  void digest_withAWordMoreAndOneLess_isAnother() {
    Map<String, Long> counts = Map.of("a", 5L, "b", 3L);
    Map<String, Long> others = Map.of("a", 4L, "b", 4L);

    assertEquals(WordTexts.total(counts), WordTexts.total(others));
    assertNotEquals(WordTexts.digest(counts), WordTexts.digest(others));
  }

  @Test
  void spec_writtenAndRead_isTheSame() {
    assertEquals(SPEC, WordTexts.Spec.parse(("words LOOP 3 " + SPEC.line()).split(" ", -1), 3));
  }

  @Test
  void byteWords_ofTheSameTexts_countTheSame() {
    WordTexts all = new WordTexts(new WordTexts.Spec(8000, 1, 9, 3000));
    ByteWords words = new ByteWords();
    Map<String, Long> expected = new HashMap<>();
    for (int i = 0; i < 20; i++) {
      words.add(all.text(i).getBytes(UTF_8));
      WordTexts.count(expected, all.text(i));
    }
    Map<String, Long> counts = new HashMap<>();

    words.addTo(counts);

    assertEquals(expected, counts);
  }

  @Test
  void loops_ofBothKinds_countWhatIsInTheTexts() throws Exception {
    WordLoops loops = new WordLoops();
    for (int texts : new int[] {7, 7, 3}) {
      long expected = WordTexts.digest(counts(SPEC, texts));
      assertEquals(expected, loops.count(WordCountWay.LOOP, SPEC, texts)[1]);
      assertEquals(expected, loops.count(WordCountWay.BYTE_LOOP, SPEC, texts)[1]);
    }
  }
}
