package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does everything here at once, and tells other nodes of many keys together. Not thread-safe. */
final class InvalidatingBulk implements Bulk<BinaryKey, Bytes> {
  private final InvalidatingEngine engine;
  private final EntryView<BinaryKey, Bytes> view;
  private final List<BinaryKey> written = new ArrayList<>();
  private long bytes;

  InvalidatingBulk(InvalidatingEngine engine) {
    this.engine = engine;
    this.view = engine.newView();
  }

  @Override
  public void write(BinaryKey key, int hash, KeyWrite<BinaryKey, Bytes> write) {
    mutate(key, hash, write);
  }

  @Override
  public void read(BinaryKey key, int hash, EntryReader<BinaryKey, Bytes> reader) {
    engine.read(key, hash, view, reader);
  }

  @Override
  public void process(
      BinaryKey key,
      int hash,
      ByteString processor,
      Mutation<BinaryKey, Bytes> near,
      Consumer<@Nullable ByteString> taking) {
    mutate(key, hash, near);
    taking.accept(null);
  }

  private void mutate(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation) {
    long version = engine.writeLocally(key, hash, mutation);
    if (InvalidatingEngine.concernsOthers(mutation, version)) {
      written.add(BinaryKey.of(key.toByteArray()));
      bytes += key.length();
    }
    if (written.size() >= InvalidatingEngine.BATCH_KEYS
        || bytes >= InvalidatingEngine.BATCH_BYTES) {
      await();
    }
  }

  @Override
  public void await() {
    if (!written.isEmpty()) {
      List<BinaryKey> keys = List.copyOf(written);
      written.clear();
      bytes = 0;
      engine.tell(keys);
    }
  }
}
