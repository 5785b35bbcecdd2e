package dev.isogrid.mapreduce;

import dev.isogrid.api.Collector;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.Mapper;
import dev.isogrid.api.Reducer;
import dev.isogrid.testkit.Await;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Word counts, the most common task in tests of map/reduce: texts, functions, and expected results.
 */
final class WordCount {
  static final Mapper<Object, String, String, Long> WORDS = new Words(0);

  static final Reducer<String, Long> SUM =
      (_, values) -> {
        long sum = 0;
        while (values.hasNext()) {
          sum += values.next();
        }
        return sum;
      };

  private WordCount() {}

  /** Emits the words of a text; with padding, so that they take more than one message. */
  record Words(int padding) implements Mapper<Object, String, String, Long> {
    @Override
    public void map(Object key, String text, Collector<String, Long> out) {
      for (String word : text.split(" ", -1)) {
        out.emit(word + "-".repeat(padding), 1L);
      }
    }
  }

  /**
   * Emits the words of a text in the form of {@link dev.isogrid.codec.ScalarMarshaller}; in a part,
   * those words that end with a space, or with the text.
   */
  static void emitWords(ByteBuffer key, ByteBuffer value, Collector<String, Long> out) {
    int begin = value.position();
    if (begin == 0) {
      begin = 1;
      while (value.get(begin++) < 0) {
        // a byte of the length, except its last one
      }
    }
    int end = value.limit();
    for (int at = begin; at <= end; at++) {
      if (at == end ? at == value.capacity() : value.get(at) == ' ') {
        out.emitText(value, begin, at - begin, 1L);
        begin = at + 1;
      }
    }
  }

  /** A text of random words. */
  static String text(Random random, int words, int distinct) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(i == 0 ? "" : " ").append("word").append(random.nextInt(distinct));
    }
    return text.toString();
  }

  /** Puts texts under the numbers from 0 on; returns the counts of their words. */
  static Map<String, Long> fill(Map<Integer, String> texts, int count, Supplier<String> text) {
    Map<Integer, String> all = new HashMap<>();
    Map<String, Long> counts = new HashMap<>();
    for (int key = 0; key < count; key++) {
      String made = text.get();
      all.put(key, made);
      count(made, counts);
    }
    texts.putAll(all);
    return counts;
  }

  /** Adds the words of a text to counts. */
  static void count(String text, Map<String, Long> counts) {
    for (String word : text.split(" ", -1)) {
      counts.merge(word, 1L, Long::sum);
    }
  }

  /** The total count of words. */
  static long total(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Waits until a task has mapped everything and reduces nothing yet, since the result was not
   * requested.
   */
  static void awaitMapped(MapReduceJob<?, ?> job) throws Exception {
    Await.until("all to be mapped", () -> isMapped(job));
  }

  /** Whether a task has mapped everything, as far as it knows. */
  static boolean isMapped(MapReduceJob<?, ?> job) {
    return job.stats().segmentsDone() >= job.stats().segmentsTotal();
  }
}
