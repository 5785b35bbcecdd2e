package dev.isogrid.server.net;

import dev.isogrid.api.Expiry;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.node.Node;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Changes texts as another server of the cluster, or a client, does: in their cache alone. */
final class TextsOfOthers {
  private TextsOfOthers() {}

  static boolean put(@Nullable Node node, String cacheName, String name, String text) {
    CacheEngine<BinaryKey, Bytes> cache =
        Objects.requireNonNull(node).internalCache(cacheName, Transcoder.JAVA_OBJECT);
    BinaryKey key = BinaryKey.of(ScalarMarshaller.INSTANCE.toBytes(name));
    KeyWrite<BinaryKey, Bytes> write =
        new KeyWrite<BinaryKey, Bytes>()
            .put(Bytes.of(ScalarMarshaller.INSTANCE.toBytes(text)))
            .expiry(Expiry.UNLIMITED, Expiry.UNLIMITED);
    cache.write(key, key.hash(), write);
    return write.outcome() == KeyWrite.Outcome.DONE;
  }
}
