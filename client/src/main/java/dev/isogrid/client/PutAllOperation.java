package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Versions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stores many entries. */
final class PutAllOperation extends Operation<@Nullable Void> {
  private final List<byte[]> keys = new ArrayList<>();
  private final List<WrittenValue> values = new ArrayList<>();
  private final Lifetime lifetime;
  private int size;

  PutAllOperation(RequestFormat format, Lifetime lifetime) {
    super(format);
    this.lifetime = lifetime;
  }

  /** Adds an entry, before it is handed over. */
  void add(byte[] key, WrittenValue value) {
    keys.add(key);
    values.add(value);
    size += key.length + value.size();
  }

  @Override
  int opcode() {
    return Opcodes.PUT_ALL;
  }

  @Override
  int versionMin() {
    return Versions.V21;
  }

  @Override
  int expiryFlags() {
    return lifetime.flags();
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
    lifetime.write(out);
    out.vInt(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      out.bytes(keys.get(i));
      values.get(i).write(out);
    }
  }

  @Override
  @Nullable Void decode(ResponseReader in, int status) {
    NearCache near = format().cache().near();
    if (near != null) {
      keys.forEach(key -> near.written(format(), key));
    }
    return null;
  }
}
