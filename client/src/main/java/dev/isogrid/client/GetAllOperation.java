package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Versions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the values of many keys. */
final class GetAllOperation<K, V> extends Operation<Map<K, V>> {
  private static final int COUNT_UNKNOWN = -1;

  private final List<byte[]> keys = new ArrayList<>();
  private int size;
  private final Map<K, V> found = new HashMap<>();
  private int missing = COUNT_UNKNOWN;

  GetAllOperation(RequestFormat format) {
    super(format);
  }

  /** Adds a key, before it is handed over. */
  void add(byte[] key) {
    keys.add(key);
    size += key.length;
  }

  List<byte[]> keys() {
    return keys;
  }

  @Override
  int opcode() {
    return Opcodes.GET_ALL;
  }

  @Override
  int versionMin() {
    return Versions.V21;
  }

  @Override
  byte[] routingKey() {
    return keys.get(0);
  }

  @Override
  int size() {
    return size;
  }

  @Override
  void encode(RequestWriter out) {
    found.clear();
    missing = COUNT_UNKNOWN;
    out.vInt(keys.size());
    keys.forEach(out::bytes);
  }

  @Override
  Map<K, V> resolved(Map<K, V> result) {
    Map<K, V> all = new HashMap<>();
    result.forEach((key, value) -> all.put(Undecoded.object(key), Undecoded.object(value)));
    return all;
  }

  @Override
  @SuppressWarnings("unchecked") // the user says what the cache holds
  Map<K, V> decode(ResponseReader in, int status) {
    if (missing == COUNT_UNKNOWN) {
      missing = in.length();
      in.commit();
    }
    while (missing > 0) {
      Object key = in.object(format().keys());
      Object value = in.object(format().values());
      if (key != null && value != null) {
        found.put((K) key, (V) value);
      }
      missing--;
      in.commit();
    }
    return found;
  }
}
