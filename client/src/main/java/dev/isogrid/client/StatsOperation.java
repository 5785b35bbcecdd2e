package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads a server's statistics of a cache. */
final class StatsOperation extends Operation<Map<String, String>> {
  StatsOperation(RequestFormat format) {
    super(format);
  }

  @Override
  int opcode() {
    return Opcodes.STATS;
  }

  @Override
  Map<String, String> decode(ResponseReader in, int status) {
    Map<String, String> statistics = new LinkedHashMap<>();
    for (int count = in.length(); count > 0; count--) {
      String name = in.string();
      statistics.put(name, in.string());
    }
    return statistics;
  }
}
