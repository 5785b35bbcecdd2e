package dev.isogrid.engine;

import dev.isogrid.api.CacheChange;
import dev.isogrid.api.ChangeToken;
import dev.isogrid.journal.EntryAttributes;
import dev.isogrid.journal.JournalRecord;
import dev.isogrid.journal.JournalTail;
import org.jspecify.annotations.Nullable;

/**
 * Reads the changes of a cache that is this node's own from its store. For one thread; methods
 * block.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class JournalChangeTail<K, V> implements ChangeTail<K, V> {
  private final StoredForm<K, V> form;
  private final JournalTail tail;

  JournalChangeTail(StoredForm<K, V> form, JournalTail tail) {
    this.form = form;
    this.tail = tail;
  }

  @Override
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

  @Override
  public ChangeToken token() {
    return ChangeToken.of(tail.token());
  }

  @Override
  public void close() {
    tail.close();
  }
}
