package dev.isogrid.types;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Writes elements in the order of their bytes. */
final class UnorderedBytes {
  private UnorderedBytes() {}

  /**
   * Writes elements so that equal sets have equal bytes.
   *
   * @param write writes one element with its tag
   */
  static void write(
      MessageWriter out,
      Collection<?> elements,
      BiConsumer<MessageWriter, @Nullable Object> write) {
    byte[][] written = new byte[elements.size()][];
    int count = 0;
    int start = out.size();
    for (Object element : elements) {
      write.accept(out, element);
      byte[] bytes = out.takeFrom(start);
      if (count == written.length) {
        written = Arrays.copyOf(written, 2 * count + 1); // it grew meanwhile
      }
      written[count++] = bytes;
    }
    Arrays.sort(written, 0, count, Arrays::compareUnsigned);
    for (int i = 0; i < count; i++) {
      out.raw(written[i]);
    }
  }
}
