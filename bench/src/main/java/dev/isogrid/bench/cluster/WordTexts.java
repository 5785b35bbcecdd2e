package dev.isogrid.bench.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ObjLongConsumer;

/** Texts of random words, the same for the same numbers, and the function that counts them. */
final class WordTexts {
  private static final int LETTERS = 26;

  private final Spec spec;
  private final List<String> words = new ArrayList<>();

  /**
   * What texts are like.
   *
   * @param valueSize characters of a text, about
   * @param wordLength characters of a word
   * @param distinctWords how many words there are, all as likely
   */
  record Spec(int valueSize, int wordLength, int distinctWords) {}

  WordTexts(Spec spec) {
    this.spec = spec;
    SplittableRandom random = new SplittableRandom(spec.distinctWords);
    for (int i = 0; i < spec.distinctWords; i++) {
      StringBuilder word = new StringBuilder(spec.wordLength);
      while (word.length() < spec.wordLength) {
        word.append((char) ('a' + random.nextInt(LETTERS)));
      }
      words.add(word.toString());
    }
  }

  /** A text. */
  String text(int index) {
    SplittableRandom random = new SplittableRandom(index);
    StringBuilder text = new StringBuilder(spec.valueSize + spec.wordLength);
    while (text.length() < spec.valueSize) {
      text.append(words.get(random.nextInt(words.size()))).append(' ');
    }
    return text.toString();
  }

  /** Emits each word of a text with 1: the user's function of all that is measured. */
  static void split(String text, ObjLongConsumer<String> out) {
    int begin = 0;
    for (int end = text.indexOf(' '); end >= 0; end = text.indexOf(' ', begin)) {
      out.accept(text.substring(begin, end), 1);
      begin = end + 1;
    }
  }

  /** Adds the words of a text to counts. */
  static void count(Map<String, Long> counts, String text) {
    split(text, (word, one) -> counts.merge(word, one, Long::sum));
  }

  /** Adds counts to others. */
  static void add(Map<String, Long> counts, Map<String, Long> more) {
    more.forEach((word, count) -> counts.merge(word, count, Long::sum));
  }
}
