package dev.isogrid.bench.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ObjLongConsumer;

/**
 * Texts of random words, the same for the same numbers, and the functions that count them: the user
 * code of all measurements.
 */
final class WordTexts {
  private static final int LETTERS = 26;

  /**
   * The tries for a new word; after that many words that exist already, the word gets longer by a
   * character.
   */
  private static final int TRIES = 100;

  private static final int TOP = 10;
  private static final int DIGEST_FACTOR = 31;

  private final Spec spec;
  private final List<String> words;

  /**
   * The kind of texts.
   *
   * @param valueSize characters of a text, about
   * @param lengthMin characters of the shortest words
   * @param lengthMax characters of the longest words; all lengths are equally frequent
   * @param distinctWords the number of words, all equally likely
   */
  record Spec(int valueSize, int lengthMin, int lengthMax, int distinctWords) {
    /** The numbers as a line of words. */
    String line() {
      return valueSize + " " + lengthMin + " " + lengthMax + " " + distinctWords;
    }

    /** Reads {@link #line}, which begins at a word of a line. */
    static Spec parse(String[] words, int from) {
      int i = from;
      return new Spec(
          Integer.parseInt(words[i++]),
          Integer.parseInt(words[i++]),
          Integer.parseInt(words[i++]),
          Integer.parseInt(words[i]));
    }
  }

  WordTexts(Spec spec) {
    this.spec = spec;
    SplittableRandom random = new SplittableRandom(spec.distinctWords);
    Set<String> distinct = new LinkedHashSet<>();
    for (int i = 0; i < spec.distinctWords; i++) {
      int length = spec.lengthMin + i % (spec.lengthMax - spec.lengthMin + 1);
      String word = word(random, length);
      for (int tries = 1; distinct.contains(word); tries++) {
        word = word(random, length + tries / TRIES);
      }
      distinct.add(word);
    }
    words = List.copyOf(distinct);
  }

  private static String word(SplittableRandom random, int length) {
    StringBuilder word = new StringBuilder(length);
    while (word.length() < length) {
      word.append((char) ('a' + random.nextInt(LETTERS)));
    }
    return word.toString();
  }

  /** A text. */
  String text(int index) {
    SplittableRandom random = new SplittableRandom(index);
    StringBuilder text = new StringBuilder(spec.valueSize + spec.lengthMax + 1);
    while (text.length() < spec.valueSize) {
      text.append(words.get(random.nextInt(words.size()))).append(' ');
    }
    return text.toString();
  }

  /** Emits each word of a text with 1. */
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

  /** The sum of the counts of a word. */
  static long sum(Iterator<Long> counts) {
    long sum = 0;
    while (counts.hasNext()) {
      sum += counts.next();
    }
    return sum;
  }

  /**
   * The digest of a result: a number that is the same for equal total counts and equal counts of
   * the ten most frequent words.
   */
  static long digest(Map<String, Long> counts) {
    List<Long> largest = new ArrayList<>(counts.values());
    largest.sort(Comparator.reverseOrder());
    long digest = total(counts);
    for (long count : largest.subList(0, Math.min(TOP, largest.size()))) {
      digest = DIGEST_FACTOR * digest + count;
    }
    return digest;
  }

  /** The total count of words. */
  static long total(Map<String, Long> counts) {
    return sum(counts.values().iterator());
  }
}
