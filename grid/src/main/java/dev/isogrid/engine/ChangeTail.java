package dev.isogrid.engine;

import dev.isogrid.api.CacheChange;
import dev.isogrid.api.ChangeToken;
import dev.isogrid.journal.EntryAttributes;
import dev.isogrid.journal.JournalRecord;
import dev.isogrid.journal.JournalTail;
import org.jspecify.annotations.Nullable;

/**
 * Reads the changes of a cache from its store, as containers keep keys and values. For one thread;
 * methods block.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public final class ChangeTail<K, V> implements AutoCloseable {
  private final StoredForm<K, V> form;
  private final JournalTail tail;

  ChangeTail(StoredForm<K, V> form, JournalTail tail) {
    this.form = form;
    this.tail = tail;
  }

  /**
   * Returns the next change, with arrays of its own.
   *
   * @param millis how long to wait for one; 0 for not at all
   * @return null if there is none in time, or the thread is interrupted
   * @throws dev.isogrid.api.ChangesGoneException if files were deleted that were not read
   */
  public @Nullable CacheChange<K, V> next(long millis) {
    JournalRecord record = tail.next(millis);
    if (record == null) {
      return null;
    }
    if (record.isPut()) {
      EntryAttributes attributes = record.attributes();
      return new CacheChange<>(
          CacheChange.Kind.WRITTEN,
          record.segment(),
          form.key(record.key()),
          form.value(record.value()),
          record.version(),
          attributes.createdMillis(),
          attributes.lifespanMillis(),
          attributes.maxIdleMillis(),
          token());
    }
    boolean isClear = record.isClear();
    CacheChange.Kind kind =
        isClear
            ? CacheChange.Kind.CLEARED
            : record.isExpiry() ? CacheChange.Kind.EXPIRED : CacheChange.Kind.REMOVED;
    return new CacheChange<>(
        kind,
        record.segment(),
        isClear ? null : form.key(record.key()),
        null,
        isClear ? 0 : record.version(),
        -1,
        -1,
        -1,
        token());
  }

  /** Returns the place behind the last change. */
  public ChangeToken token() {
    return ChangeToken.of(tail.token());
  }

  @Override
  public void close() {
    tail.close();
  }
}
