package dev.isogrid.server.task;

import dev.isogrid.api.BytesMapper;
import dev.isogrid.api.Cache;
import dev.isogrid.api.Collator;
import dev.isogrid.api.Collector;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.LongCombiner;
import dev.isogrid.api.ServerTask;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts the words in the texts of a cache, by a map/reduce on all nodes with entries. The
 * parameter {@code top} limits the result to the most frequent words. Works on plain texts and on
 * those of ProtoStream. Thread-safe.
 */
public final class WordCountTask implements ServerTask<Map<String, Long>> {
  private static final int TOP = 10;
  private static final int TOP_MAX = 1_000_000;

  /** The beginning of a string in ProtoStream: its field's number and type, then its length. */
  private static final int STRING_TAG = 9 << 3 | 2;

  private static final int LENGTH_BYTES_MAX = 5;

  @Override
  public String name() {
    return "wordcount";
  }

  @Override
  public Set<String> parameterNames() {
    return Set.of("top");
  }

  @Override
  public Map<String, Long> run(Context context) {
    Cache<?, ?> cache = context.cache();
    if (cache == null) {
      throw new InvalidRequestException("no cache to count the words of; name one");
    }
    int top = top(context);
    List<Map.Entry<String, Long>> words =
        context
            .grid()
            .mapReduce(cache)
            .mappedByBytesWith(
                BytesMapper.<String, Long>splitting(
                    WordCountTask::emitWords, WordCountTask::wordEnd))
            .combinedWith(LongCombiner.SUM)
            .execute(Collator.top(top));
    Map<String, Long> counts = new LinkedHashMap<>();
    words.forEach(word -> counts.put(word.getKey(), word.getValue()));
    return counts;
  }

  private static int top(Context context) {
    String text = String.valueOf(context.parameters().getOrDefault("top", TOP));
    try {
      return Math.clamp(Long.parseLong(text), 0, TOP_MAX);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException(
          "malformed parameter: name=top, value=%s; use a number".formatted(text), e);
    }
  }

  private static void emitWords(ByteBuffer key, ByteBuffer value, Collector<String, Long> out) {
    int end = value.limit();
    int begin = value.position() == 0 ? textBegin(value) : value.position();
    while (begin < end) {
      int at = wordEnd(value, begin);
      if (at > begin) {
        out.emitText(value, begin, at - begin, 1L);
      }
      begin = at + 1;
    }
  }

  /** The first position from an index on that does not cut a word. */
  public static int wordEnd(ByteBuffer value, int from) {
    int at = from;
    while (at < value.limit() && (value.get(at) & 0xFF) > ' ') {
      at++;
    }
    return at;
  }

  /** The beginning of a value's text: after ProtoStream's length, if there is one. */
  public static int textBegin(ByteBuffer value) {
    int end = value.capacity();
    if (end < 2 || value.get(0) != STRING_TAG) {
      return 0;
    }
    long length = 0;
    for (int at = 1; at < Math.min(end, 1 + LENGTH_BYTES_MAX); at++) {
      length |= (value.get(at) & 0x7FL) << (7 * (at - 1));
      if (value.get(at) >= 0) {
        return at + 1 + length == end ? at + 1 : 0;
      }
    }
    return 0;
  }
}
