package dev.isogrid.server.hotrod;

import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;

/** The operations on one key. Not thread-safe; allocates nothing unless it has to convert. */
final class KeyOperations {
  private final Request request;
  private final Reply reply;
  private final KeyScratch keys;
  private final ValueWrite writes;
  private final boolean mayBlock;
  private final EntryReply entryReply;

  KeyOperations(
      Request request, Reply reply, KeyScratch keys, ValueWrite writes, boolean mayBlock) {
    this.request = request;
    this.reply = reply;
    this.keys = keys;
    this.writes = writes;
    this.mayBlock = mayBlock;
    this.entryReply = new EntryReply(request, reply);
  }

  /**
   * get, getWithVersion, getWithMetadata and containsKey.
   *
   * @return false if that may have to wait and this must not; nothing was done then
   */
  boolean read(CacheHandle cache) {
    BinaryKey key = keys.key(request.key, cache, request.keyMediaType());
    if (cache.mayWait && !mayBlock && cache.engine.mayWait(key.hash(), true)) {
      return false;
    }
    entryReply.of(cache, request.valueMediaType());
    reply.begin(request, cache);
    boolean found =
        request.operation == Opcodes.CONTAINS_KEY
            ? cache.engine.peek(key, key.hash(), cache.view, entryReply)
            : cache.engine.read(key, key.hash(), cache.view, entryReply);
    if (!found) {
      reply.rewind();
      reply.status(Statuses.NOT_FOUND);
    }
    reply.end();
    return true;
  }

  /**
   * put, putIfAbsent, replace, remove and their versioned forms.
   *
   * @return false if that may have to wait and this must not; nothing was done then
   */
  boolean write(CacheHandle cache) {
    BinaryKey key = keys.key(request.key, cache, request.keyMediaType());
    if (cache.mayWait && !mayBlock && cache.engine.mayWait(key.hash(), false)) {
      return false;
    }
    KeyWrite<BinaryKey, Bytes> write = mutation(cache);
    boolean wantsPrevious = request.wantsPrevious();
    write.readingPrevious(wantsPrevious ? entryReply.of(cache, request.valueMediaType()) : null);
    reply.begin(request, cache);
    cache.engine.write(key, key.hash(), write);
    reply.status(status(write, wantsPrevious));
    if (wantsPrevious && !write.existed() && request.operation == Opcodes.PUT) {
      emptyPrevious();
    }
    reply.end();
    return true;
  }

  private KeyWrite<BinaryKey, Bytes> mutation(CacheHandle cache) {
    return switch (request.operation) {
      case Opcodes.PUT -> put(cache);
      case Opcodes.PUT_IF_ABSENT -> put(cache).when(KeyWrite.Condition.ABSENT);
      case Opcodes.REPLACE -> put(cache).when(KeyWrite.Condition.PRESENT);
      case Opcodes.REPLACE_IF_UNMODIFIED -> put(cache).whenVersion(request.entryVersion);
      case Opcodes.REMOVE -> writes.remove();
      case Opcodes.REMOVE_IF_UNMODIFIED -> writes.remove().whenVersion(request.entryVersion);
      default -> throw new AssertionError(request.operation);
    };
  }

  private KeyWrite<BinaryKey, Bytes> put(CacheHandle cache) {
    return writes.put(request.value, cache, request.valueMediaType());
  }

  /**
   * A put that wants the previous value always gets one, an empty one if need be: some clients read
   * it after any success.
   */
  private int status(KeyWrite<BinaryKey, Bytes> write, boolean wantsPrevious) {
    return switch (write.outcome()) {
      case DONE -> {
        boolean withPrevious = write.existed() || request.operation == Opcodes.PUT;
        yield wantsPrevious && withPrevious ? Statuses.OK_WITH_PREVIOUS : Statuses.OK;
      }
      case KEY_PRESENT, OTHER_VERSION ->
          wantsPrevious ? Statuses.NOT_EXECUTED_WITH_PREVIOUS : Statuses.NOT_EXECUTED;
      case KEY_ABSENT ->
          request.operation == Opcodes.REPLACE ? Statuses.NOT_EXECUTED : Statuses.NOT_FOUND;
    };
  }

  private void emptyPrevious() {
    if (request.version >= Versions.V40) {
      Reply.noMetadata(reply.body());
    }
    WireWriter.vInt(reply.body(), 0);
  }
}
