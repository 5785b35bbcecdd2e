package dev.isogrid.server.backup;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.PinnedBytes;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An entry whose value is too large to be copied. Holds it as it was read, until it is written. For
 * one thread.
 */
final class HeldEntry implements EntryReader<BinaryKey, Bytes>, AutoCloseable {
  private static final int PART_BYTES = 64 << 10;

  private @Nullable ArchivedEntry entry;
  private @Nullable PinnedBytes value;

  @Override
  public void read(EntryView<BinaryKey, Bytes> found) {
    close(); // a read may find an entry twice, and the last one counts
    entry = ArchivedEntry.of(found);
    value = found.value().pin();
  }

  /** Writes the entry; returns false if none was read. */
  boolean write(DataOutputStream out) throws IOException {
    ArchivedEntry fields = entry;
    PinnedBytes held = value;
    if (fields == null || held == null) {
      return false;
    }
    fields.write(out);
    byte[] part = new byte[Math.min(PART_BYTES, held.length())];
    for (int done = 0; done < held.length(); ) {
      int length = Math.min(part.length, held.length() - done);
      copy(held, done, length, part);
      out.write(part, 0, length);
      done += length;
    }
    return true;
  }

  private static void copy(PinnedBytes from, int start, int length, byte[] target) {
    int[] copied = {0};
    from.writeTo(
        start,
        length,
        (array, offset, count) -> {
          System.arraycopy(array, offset, target, copied[0], count);
          copied[0] += count;
        });
  }

  @Override
  public void close() {
    PinnedBytes held = value;
    entry = null;
    value = null;
    if (held != null) {
      held.close();
    }
  }
}
