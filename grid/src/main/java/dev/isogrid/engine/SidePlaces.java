package dev.isogrid.engine;

import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.NodeId;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Tells nodes which places the segments have reached of which they have no copy. If such a node is
 * cut off and writes an entry, it is known afterwards whether the cluster's entry is one from
 * before: what was told was seen. Thread-safe.
 */
final class SidePlaces {
  /*
   *    request    cache 4
   *    answer     count 4, each: segment of the cache 4, place 8; of those that the node serves
   */
  private static final System.Logger log = System.getLogger(SidePlaces.class.getName());

  private static final int PLACES = 67;

  /** How often it is asked; less often where there are many segments. */
  private static final long INTERVAL_NANOS = 1_000_000_000;

  private static final int SEGMENTS_A_SECOND = 4096;

  private static final long ATTEMPT_MILLIS = 900;

  private final SideState state;
  private final NodeCalls calls;

  /** For the thread that asks. */
  private long nextNanos;

  SidePlaces(SideState state, NodeCalls calls, long nowNanos) {
    this.state = state;
    this.calls = calls;
    this.nextNanos = nowNanos;
    calls.offer(PLACES, (_, request) -> serve(request));
  }

  /** Asks, if it is time. Does not block. */
  void ask(long nowNanos) {
    if (nowNanos - nextNanos < 0) {
      return;
    }
    long segments = 0;
    for (AvailableEngine engine : state.engines.values()) {
      segments += engine.segmentCount();
      ByteString request = request(engine.id());
      for (NodeId primary : engine.primariesOfOthers()) {
        calls
            .call(primary, PLACES, request, ATTEMPT_MILLIS)
            .whenComplete((answer, _) -> answered(engine, primary, answer));
      }
    }
    nextNanos = nowNanos + INTERVAL_NANOS * (1 + segments / SEGMENTS_A_SECOND);
  }

  private static ByteString request(int cacheId) {
    MessageWriter out = new MessageWriter();
    out.putInt(cacheId);
    return ByteString.of(out.toByteArray());
  }

  private static MessageReader reader(ByteString bytes) throws MalformedMessageException {
    byte[] array = bytes.toByteArray();
    return new MessageReader(array, 0, array.length);
  }

  private ByteString serve(ByteString request) throws MalformedMessageException {
    MessageReader in = reader(request);
    AvailableEngine engine = state.engines.get(in.int32("cache"));
    in.end();
    MessageWriter places = new MessageWriter();
    int count = 0;
    for (int index = 0; engine != null && index < engine.segmentCount(); index++) {
      long place = engine.placeReached(index);
      if (place > 0) {
        count++;
        places.putInt(index);
        places.putLong(place);
      }
    }
    MessageWriter out = new MessageWriter();
    out.putInt(count);
    out.putBytes(ByteString.of(places.toByteArray()));
    return ByteString.of(out.toByteArray());
  }

  private static void answered(
      AvailableEngine engine, NodeId primary, @Nullable ByteString answer) {
    if (answer == null) {
      return; // asked again soon
    }
    try {
      MessageReader in = reader(answer);
      int count = in.count32("count", engine.segmentCount());
      MessageReader places = reader(in.bytes("places"));
      in.end();
      for (int i = 0; i < count; i++) {
        engine.heardOf(places.int32("segment"), places.count64("place"));
      }
      places.end();
    } catch (MalformedMessageException e) {
      log.log(Level.WARNING, "malformed places of a node: node=" + primary, e);
    }
  }
}
