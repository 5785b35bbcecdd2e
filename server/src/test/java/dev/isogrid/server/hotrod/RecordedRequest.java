package dev.isogrid.server.hotrod;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;

/**
 * The header of a recorded request, and the index of its topology id. For an unknown version only
 * the first fields are read.
 */
record RecordedRequest(
    String hex,
    long id,
    int version,
    int operation,
    String cache,
    int flags,
    int intelligence,
    int topologyId,
    int topologyFrom,
    int topologyTo) {
  static RecordedRequest read(String hex) {
    WireInput in = new WireInput(HexFormat.of().parseHex(hex));
    if (in.u8() != 0xA0) {
      return new RecordedRequest(hex, 0, 0, 0, "", 0, 0, 0, 0, 0);
    }
    long id = in.vLong();
    int version = in.u8();
    if (version < 20) {
      return new RecordedRequest(hex, id, version, 0, "", 0, 0, 0, 0, 0);
    }
    int operation = in.u8();
    String cache = in.string();
    int flags = in.vInt();
    int intelligence = in.u8();
    int from = in.position();
    int topologyId = in.vInt();
    return new RecordedRequest(
        hex, id, version, operation, cache, flags, intelligence, topologyId, from, in.position());
  }

  int flagsForReading() {
    return intelligence == 3 ? flags | Response.HASH_AWARE : flags;
  }

  /**
   * The request for another server than the recorded one.
   *
   * @param versions entry versions of that server by those of the recording
   * @param topologies topology ids likewise
   * @param iterations iteration ids likewise
   * @param streams stream ids likewise
   */
  byte[] translated(
      Map<String, String> versions,
      Map<Integer, Integer> topologies,
      Map<String, String> iterations,
      Map<Integer, Integer> streams) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    if (operation == 0xE5 || operation == 0xE7 || operation == 0xEB || operation == 0xED) {
      ByteBuffer body = ByteBuffer.wrap(bytes);
      int at = bodyFrom(bytes);
      body.putInt(at, streams.getOrDefault(body.getInt(at), body.getInt(at)));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, topologyFrom);
    vInt(out, topologies.getOrDefault(topologyId, topologyId));
    String rest = HexFormat.of().formatHex(bytes, topologyTo, bytes.length);
    for (Map.Entry<String, String> version : versions.entrySet()) {
      rest = rest.replace(version.getKey(), version.getValue());
    }
    if (operation == 0x33 || operation == 0x35) {
      for (Map.Entry<String, String> iteration : iterations.entrySet()) {
        if (rest.endsWith(string(iteration.getKey()))) {
          String before = rest.substring(0, rest.length() - string(iteration.getKey()).length());
          rest = before + string(iteration.getValue());
          break;
        }
      }
    }
    out.writeBytes(HexFormat.of().parseHex(rest));
    return out.toByteArray();
  }

  /** The index of the body. */
  private int bodyFrom(byte[] bytes) {
    WireInput in = new WireInput(bytes);
    in.skip(topologyTo);
    for (int i = 0; version >= 28 && i < 2; i++) {
      int kind = in.u8();
      if (kind != 0) {
        if (kind == 1) {
          in.vInt();
        } else {
          in.string();
        }
        skipParameters(in);
      }
    }
    if (version >= 40) {
      skipParameters(in);
    }
    return in.position();
  }

  private static void skipParameters(WireInput in) {
    for (int left = 2 * in.vInt(); left > 0; left--) {
      in.bytes();
    }
  }

  private static String string(String ascii) {
    byte[] bytes = new byte[1 + ascii.length()];
    Arrays.setAll(
        new int[bytes.length],
        i -> bytes[i] = (byte) (i == 0 ? ascii.length() : ascii.charAt(i - 1)));
    return HexFormat.of().formatHex(bytes);
  }

  private static void vInt(ByteArrayOutputStream out, int number) {
    int rest = number;
    while ((rest & ~0x7F) != 0) {
      out.write((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }
}
