package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.InvalidRequestException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScalarMarshallerTest {
  private static final ScalarMarshaller MARSHALLER = ScalarMarshaller.INSTANCE;

  @Test
  void toBytes_ofScalars_areReadBack() {
    List<Object> scalars =
        List.of("text", 1, -1L, true, 'c', (short) 2, (byte) 3, 1.5, -0.0, 2.5f, Float.NaN);
    for (Object scalar : scalars) {
      assertEquals(scalar, MARSHALLER.fromBytes(MARSHALLER.toBytes(scalar)));
    }
    byte[] bytes = {1, 2};
    assertArrayEquals(bytes, (byte[]) MARSHALLER.fromBytes(MARSHALLER.toBytes(bytes)));
  }

  @Test
  void toBytes_ofEqualNumbersOfOtherTypes_differ() {
    assertFalse(Arrays.equals(MARSHALLER.toBytes(1), MARSHALLER.toBytes(1L)));
    assertFalse(Arrays.equals(MARSHALLER.toBytes("1"), MARSHALLER.toBytes('1')));
  }

  @Test
  void toBytes_ofOtherType_isRefusedByName() {
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> MARSHALLER.toBytes(Thread.State.NEW));

    assertEquals(
        "no marshaller: type=java.lang.Thread$State; use a String, byte[] or boxed primitive, or"
            + " configure the cache with a marshaller for this type",
        refusal.getMessage());
  }

  @Test
  void fromBytes_ofOtherBytes_isRefused() {
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> MARSHALLER.fromBytes(new byte[4]));

    assertEquals(
        "not a ProtoStream string, byte[] or primitive: bytes=4; configure the cache with a"
            + " marshaller for what is in it",
        refusal.getMessage());
  }

  @Test
  void toLong_ofWholeNumbers_isThem() {
    List<Number> numbers =
        List.of(0, -1, 300, Integer.MIN_VALUE, 5L, -7L, Long.MIN_VALUE, Long.MAX_VALUE);
    List<Number> small = List.of((short) -3, Short.MAX_VALUE, (byte) -128, (byte) 127);
    for (Number number : Stream.concat(numbers.stream(), small.stream()).toList()) {
      byte[] bytes = MARSHALLER.toBytes(number);
      byte[] within = new byte[bytes.length + 2];
      System.arraycopy(bytes, 0, within, 1, bytes.length);
      assertEquals(number.longValue(), ScalarMarshaller.toLong(within, 1, bytes.length));
    }
    for (Object other : List.of("1", 1.5, 2.5f, true, 'c', new byte[2])) {
      byte[] bytes = MARSHALLER.toBytes(other);
      assertThrows(
          InvalidRequestException.class, () -> ScalarMarshaller.toLong(bytes, 0, bytes.length));
    }
    for (byte[] broken : List.of(new byte[0], new byte[] {24}, new byte[] {24, -1})) {
      assertThrows(
          InvalidRequestException.class, () -> ScalarMarshaller.toLong(broken, 0, broken.length));
    }
  }

  @Test
  void toDouble_ofFloatingNumbers_isThem() {
    for (Number number : List.<Number>of(0.0, -1.25, Double.NaN, 2.5f, Float.MIN_VALUE)) {
      byte[] bytes = MARSHALLER.toBytes(number);
      assertEquals(number.doubleValue(), ScalarMarshaller.toDouble(bytes, 0, bytes.length));
    }
    for (Object other : List.of(1, 1L, "123456789", "2345")) {
      byte[] bytes = MARSHALLER.toBytes(other);
      assertThrows(
          InvalidRequestException.class, () -> ScalarMarshaller.toDouble(bytes, 0, bytes.length));
    }
  }

  @Test
  void mediaType_ofBuiltIn_isProtoStream() {
    assertEquals("application/x-protostream", MARSHALLER.mediaType());
  }
}
