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

/** Does everything here, and tells other nodes of many keys together. Not thread-safe. */
final class InvalidatingBulk implements Bulk<BinaryKey, Bytes> {
  private final InvalidatingEngine engine;
  private final EntryView<BinaryKey, Bytes> view;
  private final SegmentPuts<BinaryKey, Bytes> puts = new SegmentPuts<>();
  private final List<BinaryKey> written = new ArrayList<>();
  private long bytes;

  InvalidatingBulk(InvalidatingEngine engine) {
    this.engine = engine;
    this.view = engine.newView();
  }

  @Override
  public void write(BinaryKey key, int hash, KeyWrite<BinaryKey, Bytes> write) {
    engine.checkKey(key);
    if (!puts.tryAdd(key, hash, engine.segmentOf(hash), write)) {
      put();
      mutate(key, hash, write);
    }
  }

  private void put() {
    puts.flush((index, together) -> {
      engine.tryPutTogether(index, together);
      together.forEach(put -> written(put.key()));
    });
  }

  @Override
  public void read(BinaryKey key, int hash, EntryReader<BinaryKey, Bytes> reader) {
    put();
    engine.read(key, hash, view, reader);
  }

  @Override
  public void process(
      BinaryKey key,
      int hash,
      ByteString processor,
      Mutation<BinaryKey, Bytes> near,
      Consumer<@Nullable ByteString> taking) {
    put();
    mutate(key, hash, near);
    taking.accept(null);
  }

  private void mutate(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation) {
    long version = engine.writeLocally(key, hash, mutation);
    if (InvalidatingEngine.concernsOthers(mutation, version)) {
      written(BinaryKey.of(key.toByteArray()));
    }
  }

  private void written(BinaryKey key) {
    written.add(key);
    bytes += key.length();
    if (written.size() >= InvalidatingEngine.BATCH_KEYS
        || bytes >= InvalidatingEngine.BATCH_BYTES) {
      tell();
    }
  }

  @Override
  public void await() {
    put();
    tell();
  }

  private void tell() {
    if (!written.isEmpty()) {
      List<BinaryKey> keys = List.copyOf(written);
      written.clear();
      bytes = 0;
      engine.tell(keys);
    }
  }
}
