package dev.isogrid.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class WireTest {
  private static final int VALUE_SIZE = 200;
  private static final String VALUE = "v".repeat(VALUE_SIZE);

  @Test
  void writeGet_ofHotRod_isAFrameOfVersion41() {
    ByteBuffer out = ByteBuffer.allocate(100);

    new HotRodWire("default").writeGet(out, bytes("key-7"));

    assertEquals("a0012903" + "0764656661756c74" + "000100" + "000000" + "056b65792d37", hex(out));
  }

  @Test
  void writePut_ofHotRod_hasExpiryAndValue() {
    ByteBuffer out = ByteBuffer.allocate(100);

    new HotRodWire("").writePut(out, bytes("k"), bytes("val"));

    assertEquals("a0012901" + "00" + "000100" + "000000" + "016b" + "77" + "0376616c", hex(out));
  }

  @Test
  void writes_ofTextProtocols_areTheirCommands() {
    ByteBuffer out = ByteBuffer.allocate(200);

    new MemcachedWire(3).writeGet(out, bytes("key-7"));
    assertEquals("get key-7\r\n", text(out));
    new MemcachedWire(3).writePut(out, bytes("key-7"), bytes("val"));
    assertEquals("set key-7 0 0 3\r\nval\r\n", text(out));
    new RestWire("c", 3).writeGet(out, bytes("key-7"));
    assertEquals("GET /rest/v2/caches/c/key-7 HTTP/1.1\r\nHost: localhost\r\n\r\n", text(out));
    new RestWire("c", 3).writePut(out, bytes("key-7"), bytes("val"));
    assertEquals(
        "PUT /rest/v2/caches/c/key-7 HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/octet-stream\r\nContent-Length: 3\r\n\r\nval",
        text(out));
    new RespWire(3).writeGet(out, bytes("key-7"));
    assertEquals("*2\r\n$3\r\nGET\r\n$5\r\nkey-7\r\n", text(out));
    new RespWire(3).writePut(out, bytes("key-123456"), bytes("val"));
    assertEquals("*3\r\n$3\r\nSET\r\n$10\r\nkey-123456\r\n$3\r\nval\r\n", text(out));
  }

  @Test
  void writes_ofManyKeys_areOneGetUntilAPutOrTheEnd() {
    ByteBuffer out = ByteBuffer.allocate(200);
    MultiGetWire wire = new MultiGetWire(3);

    wire.writeGet(out, bytes("a"));
    wire.writeGet(out, bytes("b"));
    wire.writePut(out, bytes("c"), bytes("val"));
    wire.writeGet(out, bytes("d"));
    wire.endBatch(out);
    wire.endBatch(out);

    assertEquals("get a b\r\nset c 0 0 3\r\nval\r\nget d\r\n", text(out));
  }

  @Test
  void writes_ofBinaryCommands_areTheirPackets() {
    ByteBuffer out = ByteBuffer.allocate(200);
    String end = "0000000000000000" + "00000000";

    new BinaryWire(false).writeGet(out, bytes("k"));
    assertEquals("8000000100000000" + "00000001" + end + "6b", hex(out));
    BinaryWire quiet = new BinaryWire(true);
    quiet.writeGet(out, bytes("k"));
    quiet.endBatch(out);
    quiet.endBatch(out);
    assertEquals(
        "8009000100000000" + "00000001" + end + "6b" + "800a000000000000" + "00000000" + end,
        hex(out));
    quiet.writePut(out, bytes("k"), bytes("val"));
    quiet.endBatch(out);
    assertEquals(
        "8001000108000000" + "0000000c" + end + "0000000000000000" + "6b" + "76616c", hex(out));
  }

  @Test
  void readReply_cutAnywhere_waitsForTheRest() {
    HotRodWire hotRod = new HotRodWire("default");
    assertReadsWhole(hotRod, Operation.GET, hexBytes("a1810104" + "0000" + "c801" + hex(VALUE)));
    assertReadsWhole(hotRod, Operation.PUT, hexBytes("a1fF7f020000"));
    MemcachedWire memcached = new MemcachedWire(VALUE_SIZE);
    byte[] value = bytes("VALUE key-7 0 200\r\n" + VALUE + "\r\nEND\r\n");
    assertReadsWhole(memcached, Operation.GET, value);
    assertReadsWhole(memcached, Operation.PUT, bytes("STORED\r\n"));
    MultiGetWire many = new MultiGetWire(VALUE_SIZE);
    byte[] next = bytes("END\r\nVALUE key-7 0 200\r\n" + VALUE + "\r\n");
    assertReadsWhole(many, Operation.GET, next);
    assertReadsWhole(many, Operation.GET, bytes("VALUE key-7 0 200\r\n" + VALUE + "\r\n"));
    assertReadsWhole(many, Operation.PUT, bytes("END\r\nSTORED\r\n"));
    BinaryWire binary = new BinaryWire(true);
    String rest16 = "00000000" + "0000000000000000";
    String found = "8109000004000000" + "000000cc" + rest16 + "00000000" + hex(VALUE);
    assertReadsWhole(binary, Operation.GET, hexBytes(found));
    String ended = "810a000000000000" + "00000000" + rest16;
    assertReadsWhole(binary, Operation.GET, hexBytes(ended + found));
    assertReadsWhole(binary, Operation.PUT, hexBytes("8101000000000000" + "00000000" + rest16));
    RestWire rest = new RestWire("c", VALUE_SIZE);
    assertReadsWhole(rest, Operation.GET, bytes("HTTP/1.1 200 OK\r\na: b\r\n\r\n" + VALUE));
    assertReadsWhole(rest, Operation.PUT, bytes("HTTP/1.1 204 No Content\r\na: b\r\n\r\n"));
    RespWire resp = new RespWire(VALUE_SIZE);
    assertReadsWhole(resp, Operation.GET, bytes("$200\r\n" + VALUE + "\r\n"));
    assertReadsWhole(resp, Operation.PUT, bytes("+OK\r\n"));
  }

  @Test
  void readReply_thatIsNoSuccess_isRefused() {
    assertRefused(new HotRodWire(""), Operation.GET, hexBytes("a10104020000"));
    assertRefused(new HotRodWire(""), Operation.PUT, hexBytes("a1015085000000"));
    assertRefused(
        new HotRodWire(""), Operation.GET, hexBytes("a1010400000576616c7565" + "00".repeat(300)));
    assertRefused(new MemcachedWire(VALUE_SIZE), Operation.GET, bytes("END\r\n"));
    assertRefused(new MemcachedWire(VALUE_SIZE), Operation.PUT, bytes("SERVER_ERROR full\r\n"));
    assertRefused(new MultiGetWire(VALUE_SIZE), Operation.GET, bytes("END\r\nEND\r\n"));
    assertRefused(
        new BinaryWire(false), Operation.GET, hexBytes("8100000000000001" + "00".repeat(16)));
    assertRefused(new RespWire(VALUE_SIZE), Operation.GET, bytes("$-1\r\n"));
  }

  private static void assertReadsWhole(Wire wire, Operation operation, byte[] reply) {
    for (int size = 0; size < reply.length; size++) {
      ByteBuffer part = ByteBuffer.wrap(reply, 0, size);
      assertFalse(wire.readReply(part, operation, VALUE_SIZE), "size=" + size);
    }
    byte[] twice = new byte[2 * reply.length];
    System.arraycopy(reply, 0, twice, 0, reply.length);
    System.arraycopy(reply, 0, twice, reply.length, reply.length);
    ByteBuffer in = ByteBuffer.wrap(twice);
    assertTrue(wire.readReply(in, operation, VALUE_SIZE));
    assertEquals(reply.length, in.position());
  }

  private static void assertRefused(Wire wire, Operation operation, byte[] reply) {
    ByteBuffer in = ByteBuffer.wrap(reply);
    assertThrows(IllegalStateException.class, () -> wire.readReply(in, operation, VALUE_SIZE));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] hexBytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(bytes(text));
  }

  private static String hex(ByteBuffer out) {
    return HexFormat.of().formatHex(written(out));
  }

  private static String text(ByteBuffer out) {
    return new String(written(out), StandardCharsets.US_ASCII);
  }

  private static byte[] written(ByteBuffer out) {
    byte[] bytes = new byte[out.flip().remaining()];
    out.get(bytes).clear();
    return bytes;
  }
}
