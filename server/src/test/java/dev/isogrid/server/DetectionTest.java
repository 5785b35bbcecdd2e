package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.isogrid.server.memcached.CommandSample;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DetectionTest {
  private static Detection detect(String text) {
    ByteBuf input = Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    Detection detection = Detection.of(input);
    assertEquals(text.length(), input.readableBytes(), "nothing may be consumed");
    return detection;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"GET", "PUT", "POST", "HEAD", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"})
  void of_methodAndBlank_isHttp(String method) {
    assertEquals(Detection.HTTP, detect(method + " / HTTP/1.1\r\n"));
    assertDecidedOnlyAtEnd(method + " ", Detection.HTTP);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "get",
        "gets",
        "gat",
        "gats",
        "set",
        "add",
        "replace",
        "append",
        "prepend",
        "cas",
        "incr",
        "decr",
        "touch",
        "delete",
        "flush_all",
        "stats",
        "version",
        "verbosity",
        "quit",
        "mn",
        "mg",
        "ms",
        "md",
        "ma",
        "me"
      })
  void of_commandAndDelimiter_isMemcached(String command) {
    assertDecidedOnlyAtEnd(command + " ", Detection.MEMCACHED);
    assertDecidedOnlyAtEnd(command + "\r", Detection.MEMCACHED);
    assertDecidedOnlyAtEnd(command + "\n", Detection.MEMCACHED);
  }

  @Test
  void of_eachCommandThatIsServed_isMemcached() {
    for (String word : CommandSample.words()) {
      Detection expected = word.equals("unknown") ? Detection.UNKNOWN : Detection.MEMCACHED;
      assertEquals(expected, detect(word + " "), word);
    }
  }

  @Test
  void of_http2Preface_isHttp2AfterItsFirstLine() {
    assertDecidedOnlyAtEnd("PRI * HTTP/2.0\r\n", Detection.HTTP2);
  }

  private static void assertDecidedOnlyAtEnd(String text, Detection expected) {
    for (int length = 0; length < text.length(); length++) {
      assertEquals(Detection.UNDECIDED, detect(text.substring(0, length)), text);
    }
    assertEquals(expected, detect(text), text);
    assertEquals(expected, detect(text + "anything that follows"), text);
  }

  @ParameterizedTest
  @CsvSource({"A0,HOT_ROD", "80,MEMCACHED_BINARY", "2A,RESP", "16,TLS"})
  void of_magicByte_decidesAlone(String hex, Detection expected) {
    String magic = String.valueOf((char) Integer.parseInt(hex, 16));
    assertEquals(expected, detect(magic));
    assertEquals(expected, detect(magic + "\0\1\2"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "get\t",
        "GET\r\n",
        "GET/",
        "Get ",
        "gEt ",
        "post /",
        "SET a",
        "geta ",
        "hello\r\n",
        "\r\n",
        "\n",
        " GET /",
        "_",
        "flush_alll",
        "verbosityy",
        "OPTIONSS",
        "PRI * HTTP/1.1\r\n",
        "PRI /",
        "\0",
        "{",
        "\u00ff",
        "HELLO 3\r\n",
        "abcdefghijklmnopqrst"
      })
  void of_anythingElse_isUnknown(String text) {
    assertEquals(Detection.UNKNOWN, detect(text), text);
  }

  @Test
  void of_asManyBytesAsAreLookedAt_isNeverUndecided() {
    for (int c = 0; c < 256; c++) {
      String text = String.valueOf((char) c).repeat(Detection.LENGTH_MAX);
      assertNotEquals(Detection.UNDECIDED, detect(text));
    }
  }
}
