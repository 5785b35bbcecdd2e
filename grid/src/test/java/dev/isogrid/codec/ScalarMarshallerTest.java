package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.InvalidRequestException;
import java.util.Arrays;
import java.util.List;
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
  void mediaType_ofBuiltIn_isProtoStream() {
    assertEquals("application/x-protostream", MARSHALLER.mediaType());
  }
}
