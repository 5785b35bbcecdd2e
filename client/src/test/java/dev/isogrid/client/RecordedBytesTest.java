package dev.isogrid.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Versions;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies of requests, and filters, are the bytes that were recorded from the official client. */
class RecordedBytesTest {
  private static final RequestFormat FORMAT = format();
  private static final String ID = "00112233445566778899aabbccddeeff";

  private static RequestFormat format() {
    ObjectFormat objects = new ObjectFormat(new ProtoStreamMarshaller());
    return new RequestFormat(
        new CacheRef("ps", ClientConfig.builder().build()),
        0,
        Intelligence.HASH_DISTRIBUTION_AWARE,
        objects,
        objects);
  }

  private static String body(Operation<?> operation) {
    RequestWriter writer = new RequestWriter();
    writer.begin(Versions.NEWEST);
    operation.encode(writer);
    return HexFormat.of().formatHex(writer.array(), writer.start(), writer.end());
  }

  @Test
  void iterationStart_ofSomeSegments() {
    BitSet segments = new BitSet();
    for (int segment : new int[] {0, 1, 4, 6}) {
      segments.set(segment);
    }
    IterationQuery query = new IterationQuery(null, List.of(), Set.of(), 51, false);
    assertEquals("0253013300", body(new IterationOperation.Start(FORMAT, query, segments, null)));
  }

  @Test
  void iterationStart_ofKeys() {
    IterationQuery query =
        new IterationQuery(HotRod.EMPTY_VALUE_CONVERTER, List.of(), null, 10_000, false);
    String name = HexFormat.of().formatHex(HotRod.EMPTY_VALUE_CONVERTER.getBytes(UTF_8));
    assertEquals(
        "019a01" + name + "00904e00",
        body(new IterationOperation.Start(FORMAT, query, null, null)));
  }

  @Test
  void addListener_withState() {
    KeyBytes id = new KeyBytes(HexFormat.of().parseHex(ID));
    EventSinks.EventSink nobody =
        new EventSinks.EventSink() {
          @Override
          public void event(RawEvent event) {}

          @Override
          public void lost(Connection connection) {}
        };
    assertEquals(
        "10" + ID + "010000000f",
        body(new ListenerOperation.Add(FORMAT, id, nobody, ListenerOptions.DEFAULT.withState())));
    assertEquals("10" + ID + "10", body(new ListenerOperation.AddNear(FORMAT, id, nobody, 16)));
  }

  @ParameterizedTest
  @CsvSource({
    "16,4a026e31,2c",
    "16,4a017a,8004",
    "16,ff,0806",
    "64,4a026e31,000000002c",
    "64,4a017a,0000800000000004",
    "64,ff,0004000008000002"
  })
  void filter_ofOneKey(int bits, String key, String expected) {
    NearEntries entries = new NearEntries(4);
    entries.open();
    KeyBytes bytes = new KeyBytes(HexFormat.of().parseHex(key));
    entries.store(bytes, entries.ticket(bytes), new MetadataValue<>(1, 1, -1, -1, -1, -1));
    assertEquals(expected, HexFormat.of().formatHex(entries.closeForFilter(bits).toByteArray()));
  }
}
