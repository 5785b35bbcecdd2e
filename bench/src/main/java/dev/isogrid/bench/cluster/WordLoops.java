package dev.isogrid.bench.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.isogrid.bench.run.RealTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Counts words in a plain loop over arrays in memory, by as many threads as there are processors.
 * Keeps its texts. For one thread.
 */
final class WordLoops {
  private WordTexts.Spec spec = new WordTexts.Spec(0, 0, 0, 0);
  private final List<byte[]> texts = new ArrayList<>();

  /**
   * Counts, once.
   *
   * @param way one of the loops
   * @return the time in nanoseconds, and the digest of the counts
   */
  long[] count(WordCountWay way, WordTexts.Spec wanted, int count)
      throws InterruptedException, ExecutionException {
    make(wanted, count);
    return way == WordCountWay.BYTE_LOOP ? byteLoop() : loop();
  }

  private void make(WordTexts.Spec wanted, int count) {
    if (!wanted.equals(spec) || texts.size() != count) {
      spec = wanted;
      texts.clear();
      WordTexts all = new WordTexts(wanted);
      for (int i = 0; i < count; i++) {
        texts.add(all.text(i).getBytes(UTF_8));
      }
    }
  }

  private long[] byteLoop() throws InterruptedException, ExecutionException {
    long startNanos = RealTime.nanos();
    HashMap<String, Long> counts = new HashMap<>();
    for (ByteWords part : parts(ByteWords::new, ByteWords::add)) {
      part.addTo(counts);
    }
    return new long[] {RealTime.nanos() - startNanos, WordTexts.digest(counts)};
  }

  private long[] loop() throws InterruptedException, ExecutionException {
    long startNanos = RealTime.nanos();
    HashMap<String, Long> counts = new HashMap<>();
    Step<HashMap<String, Long>> step =
        (part, text) -> WordTexts.count(part, new String(text, UTF_8));
    for (HashMap<String, Long> part : parts(HashMap::new, step)) {
      WordTexts.add(counts, part);
    }
    return new long[] {RealTime.nanos() - startNanos, WordTexts.digest(counts)};
  }

  /** Processes one text. */
  @FunctionalInterface
  private interface Step<T> {
    void add(T part, byte[] text);
  }

  private <T> List<T> parts(Supplier<T> none, Step<T> step)
      throws InterruptedException, ExecutionException {
    AtomicInteger next = new AtomicInteger();
    return WordCountWork.all(
        Runtime.getRuntime().availableProcessors(),
        () -> {
          T part = none.get();
          for (int i = next.getAndIncrement(); i < texts.size(); i = next.getAndIncrement()) {
            step.add(part, texts.get(i));
          }
          return part;
        });
  }
}
