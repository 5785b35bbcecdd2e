package dev.isogrid.server.hotrod;

import dev.isogrid.codec.ByteString;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.structure.Multimap;
import dev.isogrid.structure.ValueList;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import org.jspecify.annotations.Nullable;

/**
 * The operations on multimaps, which are stored in ordinary caches. The times in requests have no
 * effect: an entry lives as long as the cache's configuration says. Not thread-safe.
 */
final class MultimapOperations {
  private final Request request;
  private final Reply reply;
  private final KeyScratch keys;
  private final ValueWrite writes;
  private final boolean mayBlock;

  MultimapOperations(
      Request request, Reply reply, KeyScratch keys, ValueWrite writes, boolean mayBlock) {
    this.request = request;
    this.reply = reply;
    this.keys = keys;
    this.writes = writes;
    this.mayBlock = mayBlock;
  }

  /** Whether an operation is one on multimaps. */
  static boolean has(int operation) {
    return operation >= Opcodes.GET_MULTIMAP && operation <= Opcodes.CONTAINS_VALUE_MULTIMAP;
  }

  /**
   * Executes the request.
   *
   * @return false if it may have to wait and this must not; then nothing was done
   */
  boolean execute(CacheHandle cache) {
    Multimap multimap =
        new Multimap(cache.engine, request.duplicates, mayBlock, request.isSilent());
    switch (request.operation) {
      case Opcodes.SIZE_MULTIMAP -> {
        if (!mayBlock) {
          return false;
        }
        long size = multimap.size();
        reply.begin(request, cache);
        WireWriter.vLong(reply.body(), size);
        reply.end();
      }
      case Opcodes.CONTAINS_VALUE_MULTIMAP -> {
        if (!mayBlock) {
          return false;
        }
        answer(cache, multimap.containsValue(value(cache)));
      }
      default -> {
        BinaryKey key = keys.key(request.key, cache, request.keyMediaType());
        if (!mayBlock && cache.mayWait && cache.engine.mayWait(key.hash(), isRead())) {
          return false;
        }
        onKey(cache, multimap, key);
      }
    }
    return true;
  }

  private boolean isRead() {
    return switch (request.operation) {
      case Opcodes.PUT_MULTIMAP, Opcodes.REMOVE_KEY_MULTIMAP, Opcodes.REMOVE_ENTRY_MULTIMAP ->
          false;
      default -> true;
    };
  }

  private void onKey(CacheHandle cache, Multimap multimap, BinaryKey key) {
    switch (request.operation) {
      case Opcodes.GET_MULTIMAP -> values(cache, multimap.get(key));
      case Opcodes.GET_MULTIMAP_WITH_METADATA -> valuesWithMetadata(cache, multimap, key);
      case Opcodes.PUT_MULTIMAP -> {
        multimap.put(key, value(cache));
        reply.begin(request, cache);
        reply.end();
      }
      case Opcodes.REMOVE_KEY_MULTIMAP -> answer(cache, multimap.remove(key));
      case Opcodes.REMOVE_ENTRY_MULTIMAP -> answer(cache, multimap.remove(key, value(cache)));
      case Opcodes.CONTAINS_ENTRY_MULTIMAP ->
          answer(cache, multimap.containsEntry(key, value(cache)));
      case Opcodes.CONTAINS_KEY_MULTIMAP -> answer(cache, !multimap.get(key).isEmpty());
      default -> throw new AssertionError(request.operation);
    }
  }

  private byte[] value(CacheHandle cache) {
    return writes.value(request.value, cache, request.valueMediaType()).toByteArray();
  }

  private void answer(CacheHandle cache, boolean isTrue) {
    reply.begin(request, cache);
    reply.body().writeBoolean(isTrue);
    reply.end();
  }

  private void values(CacheHandle cache, ValueList list) {
    reply.begin(request, cache);
    if (list.isEmpty()) {
      reply.status(Statuses.NOT_FOUND);
    } else {
      write(cache, list);
    }
    reply.end();
  }

  private void valuesWithMetadata(CacheHandle cache, Multimap multimap, BinaryKey key) {
    byte[][] entry = new byte[1][];
    reply.begin(request, cache);
    boolean isFound =
        cache.engine.read(
            key,
            key.hash(),
            cache.view,
            view -> {
              reply.rewind(); // what was read at first may have turned out not to hold
              Reply.metadata(reply.body(), view);
              entry[0] = view.value().toByteArray();
            },
            mayBlock);
    if (isFound) {
      write(cache, multimap.shown(entry[0]));
    } else {
      reply.rewind();
      reply.status(Statuses.NOT_FOUND);
    }
    reply.end();
  }

  private void write(CacheHandle cache, ValueList list) {
    @Nullable String requestedType = request.valueMediaType();
    WireWriter.vInt(reply.body(), list.count());
    for (ByteString value : list.values()) {
      reply.value(Bytes.of(value), cache, requestedType);
    }
  }
}
