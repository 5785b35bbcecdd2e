package dev.isogrid.server.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.wire.MediaTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TaskValuesTest {
  private static final byte[] NO_SCALAR = {(byte) 0xFF, 1};

  @Test
  void parameter_isWhatTheFormatSays() {
    byte[] text = "\u00fc".getBytes(UTF_8);
    assertEquals("\u00fc", TaskValues.parameter(text, null));
    assertEquals("\u00fc", TaskValues.parameter(text, MediaTypes.TEXT_PLAIN));
    assertEquals("\u00fc", TaskValues.parameter(text, MediaTypes.JSON));
    assertEquals(text, TaskValues.parameter(text, MediaTypes.OCTET_STREAM));
    assertEquals(7L, TaskValues.parameter(proto(7L), MediaTypes.PROTOSTREAM));
    assertEquals(NO_SCALAR, TaskValues.parameter(NO_SCALAR, MediaTypes.PROTOSTREAM));
  }

  private static byte[] proto(Object scalar) {
    return ScalarMarshaller.INSTANCE.toBytes(scalar);
  }

  @Test
  void result_isInTheFormat() {
    assertEquals(0, TaskValues.result(null, MediaTypes.PROTOSTREAM).length);
    assertArrayEquals(proto(7L), TaskValues.result(7L, MediaTypes.PROTOSTREAM));
    assertArrayEquals(proto("[7]"), TaskValues.result(List.of(7), MediaTypes.PROTOSTREAM));
    assertEquals("a", text("a", null));
    assertEquals("a", text("a", MediaTypes.TEXT_PLAIN));
    assertEquals("\"a\"", text("a", MediaTypes.JSON));
    assertEquals("7", text(7, MediaTypes.TEXT_PLAIN));
    assertEquals(NO_SCALAR, TaskValues.result(NO_SCALAR, MediaTypes.OCTET_STREAM));
  }

  private static String text(Object result, @Nullable String mediaType) {
    return new String(TaskValues.result(result, mediaType), UTF_8);
  }

  @Test
  void json_ofAllThatIsPlain() {
    assertEquals(
        "[1,2.5,true,null,\"q\\\"\\u000a\",{\"k\":[3]},\"NaN\",{},[]]",
        TaskValues.json(
            Arrays.asList(
                1,
                2.5,
                true,
                null,
                "q\"\n",
                Map.of("k", new int[] {3}),
                Double.NaN,
                Map.of(),
                List.of())));
    List<Object> endless = new ArrayList<>();
    endless.add(endless);
    assertThrows(InvalidRequestException.class, () -> TaskValues.json(endless));
  }
}
