package dev.isogrid.server.memcached;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Requests of memcached's binary protocol, one of each kind. */
public final class BinarySample {
  private static final String NUMBER = "0000000000000001";

  private BinarySample() {}

  /** The names of all requests but those of logins. */
  public static List<String> names() {
    return Arrays.stream(Opcode.values())
        .filter(opcode -> !opcode.isLogin())
        .map(BinarySample::name)
        .toList();
  }

  private static String name(Opcode opcode) {
    return opcode.name().toLowerCase(Locale.ROOT);
  }

  private static Opcode opcode(String name) {
    return Opcode.valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** The word of the text protocol for what a request does. */
  public static String word(String name) {
    return opcode(name).command().name().toLowerCase(Locale.ROOT);
  }

  /** A login by a password. */
  public static byte[] login(String user, String password) {
    return BinaryPackets.encode("sasl_auth key=PLAIN v=\\x00%s\\x00%s".formatted(user, password));
  }

  /** A request of a name, and one that is always answered. */
  public static byte[] of(String name) {
    String fields =
        switch (opcode(name).loud()) {
          case SET, ADD, REPLACE -> " x=0000000000000000 key=k v=1";
          case APPEND, PREPEND -> " key=k v=1";
          case INCREMENT, DECREMENT -> " x=" + NUMBER + NUMBER + "00000000 key=k";
          case TOUCH, GAT, GATK -> " x=00000000 key=k";
          case GET, GETK, DELETE -> " key=k";
          case VERBOSITY -> " x=00000000";
          default -> "";
        };
    return BinaryPackets.encode(name + fields + "\nnoop o=01");
  }

  /** The answers of a server, one line each. */
  public static List<String> read(byte[] replies) {
    return BinaryPackets.decode(new String(replies, StandardCharsets.ISO_8859_1)).lines().toList();
  }
}
