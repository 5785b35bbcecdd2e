package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.Conversion;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.engine.WouldWaitException;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.PinnedBytes;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The operations that read and write a value in chunks. Not thread-safe. */
final class StreamOperations {
  private final Request request;
  private final Reply reply;
  private final KeyScratch keys;
  private final boolean mayBlock;
  private final LongConversion longConversion = new LongConversion();

  /** The value that a read found, which does not change. */
  private @Nullable PinnedBytes found;

  StreamOperations(Request request, Reply reply, KeyScratch keys, boolean mayBlock) {
    this.request = request;
    this.reply = reply;
    this.keys = keys;
    this.mayBlock = mayBlock;
  }

  /**
   * Executes the request.
   *
   * @param streams the streams of the connection
   * @return false if it may have to wait and this must not; then nothing was done
   */
  boolean execute(CacheHandle cache, ValueStreams streams) {
    switch (request.operation) {
      case Opcodes.GET_STREAM -> {
        return getOld(cache, streams);
      }
      case Opcodes.PUT_STREAM -> putOld(cache, streams);
      case Opcodes.START_GET_STREAM -> {
        return startGet(cache, streams);
      }
      case Opcodes.NEXT_GET_STREAM -> nextGet(cache, streams);
      case Opcodes.START_PUT_STREAM -> startPut(cache, streams);
      case Opcodes.NEXT_PUT_STREAM -> nextPut(cache, streams);
      case Opcodes.END_GET_STREAM, Opcodes.END_PUT_STREAM -> {
        streams.end(request.number);
        answer(cache, Statuses.OK);
      }
      default -> throw new AssertionError(request.operation);
    }
    return true;
  }

  private void answer(CacheHandle cache, int status) {
    reply.begin(request, cache);
    reply.status(status);
    reply.end();
  }

  private void unknownStream() {
    reply.error(
        request.messageId,
        Statuses.PARSE_ERROR,
        ("unknown stream: id=%d; it was ended, or got on too little in %d minutes, or is another"
                + " one's")
            .formatted(request.number, ValueStreams.IDLE_MINUTES));
    reply.end();
  }

  private boolean mustGoAside(CacheHandle cache, int hash) {
    return cache.mayWait && !mayBlock && cache.engine.mayWait(hash, true);
  }

  // ---- reading

  private boolean getOld(CacheHandle cache, ValueStreams streams) {
    BinaryKey key = keys.key(request.key, cache, request.keyMediaType());
    if (mustGoAside(cache, key.hash())) {
      return false;
    }
    try (PinnedBytes value = read(cache, key, 0, streams)) {
      if (value != null) {
        int from = request.number;
        if (from < 0 || from > value.length()) {
          throw new InvalidRequestException(
              "offset beyond the value: offset=%s, size=%d"
                  .formatted(Integer.toUnsignedString(from), value.length()));
        }
        reply.part(value, from, value.length() - from);
      }
    }
    reply.end();
    return true;
  }

  private boolean startGet(CacheHandle cache, ValueStreams streams) {
    BinaryKey key = keys.key(request.key, cache, request.keyMediaType());
    if (mustGoAside(cache, key.hash())) {
      return false;
    }
    if (request.number <= 0) {
      throw new InvalidRequestException(
          "size of chunks out of range: size=%d; give at least 1".formatted(request.number));
    }
    streams.checkRoom();
    int id = streams.newId();
    PinnedBytes value = read(cache, key, id, streams);
    if (value != null) {
      GetStream stream = new GetStream(cache.engine, value, chunkSize(streams));
      try {
        stream.writeNext(reply);
      } catch (RuntimeException failure) {
        stream.close();
        throw failure;
      }
      if (!stream.isAtEnd()) {
        streams.add(id, stream);
      }
    }
    reply.end();
    return true;
  }

  /**
   * The size of chunks. Chunks above the limit of requests are cut: the client learns that more
   * follow.
   */
  private int chunkSize(ValueStreams streams) {
    return Math.min(request.number, streams.messageMax());
  }

  /**
   * Reads an entry and begins the reply with the fields before the value.
   *
   * @return the value, which the caller closes; null if there is no entry, which the reply then
   *     reports
   */
  private @Nullable PinnedBytes read(
      CacheHandle cache, BinaryKey key, int id, ValueStreams streams) {
    String requested = request.valueMediaType();
    if (!mayBlock
        && cache.values.toRequested(requested) != null
        && longConversion.isOf(key, cache)) {
      throw WouldWaitException.instance();
    }
    int chunkSize = chunkSize(streams);
    reply.begin(request, cache);
    boolean isFound = false;
    try {
      isFound =
          cache.engine.read(
              key,
              key.hash(),
              cache.view,
              entry -> {
                drop();
                found = value(entry, cache, requested, streams.messageMax());
                reply.rewind();
                if (request.operation == Opcodes.START_GET_STREAM) {
                  reply.body().writeInt(id);
                  reply.body().writeByte(found.length() <= chunkSize ? 1 : 0);
                }
                Reply.metadata(reply.body(), entry);
              },
              mayBlock);
    } finally {
      if (!isFound) {
        drop();
      }
    }
    if (!isFound) {
      reply.rewind();
      reply.status(Statuses.NOT_FOUND);
    }
    PinnedBytes value = found;
    found = null;
    return value;
  }

  /** Closes the found value: a read may find an entry twice, and the last one counts. */
  private void drop() {
    if (found != null) {
      found.close();
      found = null;
    }
  }

  private static PinnedBytes value(
      EntryView<BinaryKey, Bytes> entry,
      CacheHandle cache,
      @Nullable String requested,
      int convertedMax) {
    Bytes stored = entry.value();
    Conversion conversion = cache.values.toRequested(requested);
    if (conversion == null) {
      return stored.pin();
    }
    if (stored.length() > convertedMax) {
      throw new InvalidRequestException(
          "value too large to be converted: size=%d, limit=%d; ask for the cache's media type"
              .formatted(stored.length(), convertedMax));
    }
    return PinnedBytes.of(conversion.convert(stored.toByteArray()));
  }

  private void nextGet(CacheHandle cache, ValueStreams streams) {
    GetStream stream = streams.find(request.number, GetStream.class, cache);
    if (stream == null) {
      unknownStream();
      return;
    }
    reply.begin(request, cache);
    reply.body().writeInt(request.number);
    reply.body().writeByte(stream.isNextTheLast() ? 1 : 0);
    stream.writeNext(reply);
    streams.noteProgress(stream);
    reply.end();
  }

  // ---- writing

  /** The stream of a new put; the caller closes it or hands it on. */
  PutStream newPut(CacheHandle cache, ValueStreams streams) {
    BinaryKey key = keys.key(request.key, cache, request.keyMediaType());
    return new PutStream(request, cache, key, streams);
  }

  private void startPut(CacheHandle cache, ValueStreams streams) {
    streams.checkRoom();
    PutStream stream = newPut(cache, streams);
    int id = streams.newId();
    streams.add(id, stream);
    reply.begin(request, cache);
    reply.body().writeInt(id);
    reply.end();
  }

  private void nextPut(CacheHandle cache, ValueStreams streams) {
    if (request.last) {
      lastPut(cache, streams);
      return;
    }
    PutStream stream = streams.find(request.number, PutStream.class, cache);
    if (stream != null && stream.append(request.in, request.value)) {
      streams.noteProgress(stream);
      answer(cache, Statuses.OK);
    } else {
      unknownStream();
    }
  }

  /**
   * Commits a value that arrived in chunks on a thread that may wait, since its bytes can't be
   * taken twice.
   */
  private void lastPut(CacheHandle cache, ValueStreams streams) {
    PutStream seen = mayBlock ? null : streams.find(request.number, PutStream.class, cache);
    if (seen != null) {
      seen.end();
      throw WouldWaitException.instance();
    }
    PutStream stream = streams.take(request.number, PutStream.class, cache);
    if (stream == null) {
      unknownStream();
    } else {
      commit(cache, stream);
    }
  }

  /** Commits a put whose chunks have all arrived; the request is read again without them. */
  private void putOld(CacheHandle cache, ValueStreams streams) {
    if (!mayBlock) {
      ChunkedBody body = Objects.requireNonNull(streams.body());
      PutStream complete = body.stream();
      if (complete != null) {
        streams.keepComplete(request.messageId, complete);
        throw WouldWaitException.instance();
      }
      body.handOver();
    }
    PutStream stream = mayBlock ? streams.takeComplete(request.messageId) : null;
    if (stream == null) {
      throw new InvalidRequestException(
          "no value to put: cache=%s; it was created meanwhile, or another request of the"
                  .formatted(cache.engine.name())
              + " connection has the same id; try again");
    }
    request.value.set(0, 0); // the chunks are with the stream already
    commit(cache, stream);
  }

  private void commit(CacheHandle cache, PutStream stream) {
    KeyWrite.Outcome outcome;
    try {
      stream.appendLast(request.in, request.value);
      outcome = stream.commit();
    } finally {
      stream.close();
    }
    answer(
        cache,
        switch (outcome) {
          case DONE -> Statuses.OK;
          case KEY_PRESENT, OTHER_VERSION -> Statuses.NOT_EXECUTED;
          case KEY_ABSENT -> Statuses.NOT_FOUND;
        });
  }
}
