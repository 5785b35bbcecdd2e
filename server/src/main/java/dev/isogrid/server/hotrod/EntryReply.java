package dev.isogrid.server.hotrod;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Versions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Appends an entry to the reply in the form of the operation: the entry that a read found, or the
 * one before a write. Reusable; for one connection.
 */
final class EntryReply implements EntryReader<BinaryKey, Bytes> {
  private final Request request;
  private final Reply reply;
  private @Nullable CacheHandle cache;
  private @Nullable String requestedType;

  EntryReply(Request request, Reply reply) {
    this.request = request;
    this.reply = reply;
  }

  /**
   * Prepares this for a request.
   *
   * @param requestedType the media type of values that the client requests, or null for any
   * @return this
   */
  EntryReply of(CacheHandle cache, @Nullable String requestedType) {
    this.cache = cache;
    this.requestedType = requestedType;
    return this;
  }

  @Override
  public void read(EntryView<BinaryKey, Bytes> entry) {
    reply.rewind();
    switch (request.operation) {
      case Opcodes.CONTAINS_KEY -> {
        return;
      }
      case Opcodes.GET -> {}
      case Opcodes.GET_WITH_VERSION -> reply.body().writeLong(entry.version());
      case Opcodes.GET_WITH_METADATA ->
          Reply.metadata(reply.body(), entry, request.wantsExactTimes());
      default -> {
        if (request.version >= Versions.V40) {
          Reply.metadata(reply.body(), entry);
        }
      }
    }
    // the reply has a copy before the write goes on
    reply.value(entry.valueNow(), Objects.requireNonNull(cache), requestedType);
  }
}
