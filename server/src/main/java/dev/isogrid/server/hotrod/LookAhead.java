package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.EpochClock;
import dev.isogrid.wire.Opcodes;
import io.netty.buffer.ByteBuf;
import java.lang.System.Logger.Level;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Prefetches the entries of requests behind the next one, so that the processor loads the memory of
 * many of them at a time. For one connection.
 */
final class LookAhead {
  /*
   * A get of an entry outside of the processor's caches waits for the slot, for the entry and for
   * its value, one after the other, and requests are executed one after the other. With many
   * entries that is most of a request's time. No code waits for the reads here, since nothing
   * depends on them. So some 16 requests wait together, for the time of one. The reads have no
   * other effect, so wrong ones do no harm.
   */

  private static final System.Logger log = System.getLogger(LookAhead.class.getName());

  /** The approximate number of reads that a processor has in flight. */
  private static final int REQUESTS_MAX = 16;

  private final Request request = new Request();
  private final RequestDecoder decoder;
  private final KeyScratch keys = new KeyScratch(request);
  private final CacheHandles caches;
  private final int[] hashes = new int[REQUESTS_MAX];

  /** The cache of the prefetched requests; null before the first. */
  private @Nullable CacheHandle cache;

  /** The index of the buffer up to which requests were prefetched. */
  private int seenIndex;

  /** Keeps the compiler from removing the reads. */
  @SuppressWarnings("unused") // that it is written is its use
  private int seen;

  LookAhead(CacheHandles caches, int requestSizeMax, EpochClock clock) {
    this.caches = caches;
    this.decoder = new RequestDecoder(request, requestSizeMax, clock);
    request.takesTimes = true; // what a request may contain is checked when it is its turn
  }

  /** Resets the progress, since the buffer is another one. */
  void begin() {
    seenIndex = 0;
  }

  /**
   * Prefetches the next requests, if the prefetched ones are done; leaves the reader index
   * unchanged.
   */
  void look(ByteBuf in) {
    int start = in.readerIndex();
    if (start < seenIndex) {
      return;
    }
    cache = null;
    int count = 0;
    try {
      while (count < REQUESTS_MAX && decoder.decodeFresh(in) && isForTheSameCache()) {
        CacheHandle known = Objects.requireNonNull(cache);
        hashes[count++] = keys.key(request.key, known, request.keyMediaType()).hash();
      }
    } catch (MalformedRequest | InvalidRequestException refused) {
      log.log(Level.TRACE, "a request that is refused when it is its turn", refused);
    } finally {
      seenIndex = Math.max(start + 1, in.readerIndex());
      in.readerIndex(start);
      request.release();
    }
    if (cache != null && count > 1) {
      seen += cache.engine.bringNear(hashes, count);
    }
  }

  /**
   * Whether the request is on a key of the same cache as the previous ones, or the first one, and
   * the key needs no conversion.
   */
  private boolean isForTheSameCache() {
    CacheHandle named = isOnOneKey() ? caches.known(request) : null;
    if (named == null || (cache != null && !cache.equals(named))) {
      return false;
    }
    cache = named;
    return named.keys.toStored(request.keyMediaType()) == null;
  }

  private boolean isOnOneKey() {
    return switch (request.operation) {
      case Opcodes.GET,
          Opcodes.GET_WITH_VERSION,
          Opcodes.GET_WITH_METADATA,
          Opcodes.PUT,
          Opcodes.PUT_IF_ABSENT,
          Opcodes.REPLACE,
          Opcodes.REMOVE ->
          true;
      default -> false;
    };
  }
}
