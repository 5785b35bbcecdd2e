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
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of a grid as its marshaller sees them: the entries of {@link InternalCaches#SCHEMAS},
 * which servers of the cluster read to make JSON of messages. Thread-safe. Methods may wait for
 * other nodes.
 */
final class ClusterSchemas implements SchemaRegistry {
  /*
   * A marshaller asks when it meets a class for the first time. That can be while a segment of a
   * cache is locked, for example to give the value that a write replaces. The thread that drives
   * the node needs such locks to acknowledge writes, so nothing may wait for other nodes then.
   * Mostly nothing has to: the replica of this node has a schema before there are bytes of it, and
   * a class that was written here before is known.
   */
  private final Supplier<CacheEngine<BinaryKey, Bytes>> cache;
  private final BooleanSupplier holdsLock;
  private final String nodeName;

  /**
   * Creates the registry of a node.
   *
   * @param cache finds or makes the cache of the schemas
   * @param holdsLock whether this thread must not wait for other nodes
   */
  ClusterSchemas(
      Supplier<CacheEngine<BinaryKey, Bytes>> cache, BooleanSupplier holdsLock, String nodeName) {
    this.cache = cache;
    this.holdsLock = holdsLock;
    this.nodeName = nodeName;
  }

  /** The parts of an entry. */
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
      CacheEngine<BinaryKey, Bytes> schemas = cache.get();
      BinaryKey key = key(file);
      checkMayWait(schemas, key, true);
      Found found = find(schemas, key);
      return found == null ? null : found.text();
    } catch (RetryableGridException failure) {
      throw failed("read", file, failure);
    }
  }

  @Override
  public boolean replace(String file, @Nullable String expected, String text) {
    try {
      CacheEngine<BinaryKey, Bytes> schemas = cache.get();
      BinaryKey key = key(file);
      checkMayWait(schemas, key, true);
      Found found = find(schemas, key);
      String present = found == null ? null : found.text();
      boolean isExpected = expected == null ? found == null : expected.equals(present);
      if (!isExpected) {
        return false;
      }
      checkMayWait(schemas, key, false);
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
      throw failed("written", file, failure);
    }
  }

  /** Refuses to wait for other nodes with a lock held. */
  private void checkMayWait(CacheEngine<BinaryKey, Bytes> schemas, BinaryKey key, boolean isRead) {
    if (schemas.mayWait(key.hash(), isRead) && holdsLock.getAsBoolean()) {
      throw new RetryableGridException(
          ("a class came first with an entry that is being changed: node=%s; get an entry with it"
                  + " once on this node, then try again")
              .formatted(nodeName));
    }
  }

  private RetryableGridException failed(String what, String file, GridException failure) {
    return new RetryableGridException(
        ("schema not %s: file=%s, node=%s; a new class needs the majority of the cluster once,"
                + " since %s")
            .formatted(what, file, nodeName, failure.getMessage()),
        failure);
  }
}
