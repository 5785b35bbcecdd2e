package dev.isogrid.node;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.types.SchemaRegistry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of a grid as its marshaller sees them: the entries of {@link InternalCaches#SCHEMAS},
 * which servers of the cluster read to make JSON of messages. Thread-safe. Methods may wait for
 * other nodes.
 */
final class ClusterSchemas implements SchemaRegistry {
  private final Supplier<CacheEngine<BinaryKey, Bytes>> cache;
  private final String nodeName;

  /**
   * Creates the registry of a node.
   *
   * @param cache finds or makes the cache of the schemas
   */
  ClusterSchemas(Supplier<CacheEngine<BinaryKey, Bytes>> cache, String nodeName) {
    this.cache = cache;
    this.nodeName = nodeName;
  }

  /** What an entry has. */
  private record Found(long version, Bytes value) {
    @Nullable String text() {
      Object text = ScalarMarshaller.INSTANCE.fromBytes(value.toByteArray());
      return text instanceof String known ? known : null;
    }
  }

  private static BinaryKey key(String file) {
    return BinaryKey.of(ScalarMarshaller.INSTANCE.toBytes(file));
  }

  private static @Nullable Found find(CacheEngine<BinaryKey, Bytes> schemas, BinaryKey key) {
    Found[] found = new Found[1];
    schemas.read(
        key,
        key.hash(),
        schemas.newView(),
        entry -> found[0] = new Found(entry.version(), Bytes.of(entry.value().toByteArray())));
    return found[0];
  }

  @Override
  public @Nullable String schema(String file) {
    try {
      Found found = find(cache.get(), key(file));
      return found == null ? null : found.text();
    } catch (RetryableGridException failure) {
      throw unreachable("read", file, failure);
    }
  }

  @Override
  public boolean replace(String file, @Nullable String expected, String text) {
    try {
      CacheEngine<BinaryKey, Bytes> schemas = cache.get();
      BinaryKey key = key(file);
      Found found = find(schemas, key);
      String present = found == null ? null : found.text();
      boolean isExpected = expected == null ? found == null : expected.equals(present);
      if (!isExpected) {
        return false;
      }
      KeyWrite<BinaryKey, Bytes> write =
          new KeyWrite<BinaryKey, Bytes>()
              .put(Bytes.of(ScalarMarshaller.INSTANCE.toBytes(text)))
              .expiry(Expiry.UNLIMITED, Expiry.UNLIMITED);
      schemas.write(
          key,
          key.hash(),
          found == null
              ? write.when(KeyWrite.Condition.ABSENT)
              : write.whenVersion(found.version()));
      return write.outcome() == KeyWrite.Outcome.DONE;
    } catch (RetryableGridException | IndeterminateGridException failure) {
      throw unreachable("written", file, failure);
    }
  }

  private RetryableGridException unreachable(String what, String file, GridException failure) {
    return new RetryableGridException(
        ("schema not %s: file=%s, node=%s; new types can be stored while a majority of the cluster"
                + " answers this node, try again")
            .formatted(what, file, nodeName),
        failure);
  }
}
