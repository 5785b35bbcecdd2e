package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.api.StorageType;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Caches that keep bytes: what becomes of the user's objects. */
class MarshalledCacheTest {
  private static final CacheConfig.Builder BYTES =
      CacheConfig.builder().storage(StorageType.HEAP_BINARY).segments(4);

  private final CacheFixture fixture = new CacheFixture(StorageType.HEAP_BINARY);

  @AfterEach
  void close() {
    fixture.close();
  }

  private record Point(int x, int y) {}

  /** Refuses points left of zero. */
  private static final class PointMarshaller implements Marshaller<Point> {
    @Override
    public byte[] toBytes(Point point) {
      if (point.x < 0) {
        throw new InvalidRequestException("not a point: x=" + point.x);
      }
      return (point.x + "," + point.y).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Point fromBytes(byte[] bytes) {
      List<String> parts = List.of(new String(bytes, StandardCharsets.US_ASCII).split(",", -1));
      return new Point(Integer.parseInt(parts.getFirst()), Integer.parseInt(parts.getLast()));
    }

    @Override
    public String mediaType() {
      return "text/x-point";
    }
  }

  private Cache<Point, Point> points() {
    return fixture.node.cache(
        "points",
        BYTES.build().toBuilder()
            .keyMarshaller(new PointMarshaller())
            .valueMarshaller(new PointMarshaller())
            .build());
  }

  @Test
  void cache_withOwnMarshaller_keepsItsObjects() {
    Cache<Point, Point> points = points();
    Point value = new Point(3, 4);
    points.put(new Point(1, 2), value);

    assertEquals(value, points.get(new Point(1, 2)));
    assertNotSame(value, points.get(new Point(1, 2)));
    assertEquals(Map.of(new Point(1, 2), value), Map.copyOf(points));
    assertTrue(points.replace(new Point(1, 2), new Point(3, 4), new Point(5, 6)));
    assertEquals(new Point(5, 6), points.remove(new Point(1, 2)));
  }

  @Test
  void cache_withMarshallerThatRefuses_passesItOnAndChangesNothing() {
    Cache<Point, Point> points = points();
    Point key = new Point(1, 2);
    points.put(key, key);

    assertThrows(InvalidRequestException.class, () -> points.put(key, new Point(-1, 0)));
    assertThrows(InvalidRequestException.class, () -> points.put(new Point(-1, 0), key));
    assertThrows(
        InvalidRequestException.class, () -> points.compute(key, (_, _) -> new Point(-1, 0)));

    assertEquals(key, points.get(key));
    assertEquals(1, points.size());
  }

  @Test
  void cache_withBuiltInMarshaller_keepsScalars() {
    Cache<Object, Object> scalars = fixture.node.cache("scalars", BYTES.build());
    List<Object> values =
        List.of(
            "text",
            "größe 😀",
            "",
            1,
            -1,
            1L,
            Long.MIN_VALUE,
            true,
            'c',
            (short) -2,
            (byte) 3,
            1.5,
            -0.25f);
    for (Object value : values) {
      scalars.put(value, value);
    }

    assertEquals(values.size(), scalars.size());
    for (Object value : values) {
      assertEquals(value, scalars.get(value));
    }
  }

  @Test
  void cache_withKeysThatAreArrays_findsThemByContent() {
    Cache<byte[], byte[]> arrays = fixture.node.cache("arrays", BYTES.build());
    byte[] value = {3};
    arrays.put(new byte[] {1, 2}, value);
    value[0] = 9; // what is stored is a copy

    assertArrayEquals(new byte[] {3}, arrays.get(new byte[] {1, 2}));
    assertTrue(arrays.containsKey(new byte[] {1, 2}));
    assertFalse(arrays.containsKey(new byte[] {1}));
  }

  @Test
  void cache_ofUnknownType_isRefusedWithAdvice() {
    Cache<Object, Object> scalars = fixture.node.cache("scalars", BYTES.build());

    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> scalars.put("k", new Object()));

    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.contains(Object.class.getName()), message);
    assertNull(scalars.get("k"));
    assertThrows(InvalidRequestException.class, () -> scalars.get(new Object()));
  }

  @Test
  void cache_withForeignBytes_refusesToReadThem() {
    Cache<Object, Object> scalars = fixture.node.cache("scalars", BYTES.build());
    var engine = Objects.requireNonNull(fixture.node.engine("scalars"));
    var key = BinaryKey.of(ScalarMarshaller.INSTANCE.toBytes("k"));
    engine.write(
        key, key.hash(), new KeyWrite<BinaryKey, Bytes>().put(Bytes.of(new byte[] {1, 2, 3})));

    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> scalars.get("k"));

    assertFalse(String.valueOf(refusal.getMessage()).isEmpty());
    assertTrue(scalars.containsKey("k"));
  }
}
