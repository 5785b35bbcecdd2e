package dev.isogrid.server.hotrod;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes requests, independently of the code under test. bytes() writes the header. */
final class RequestBytes {
  final int version;
  final int operation;
  int flags;
  private long id = 7;
  private String cache = "c";
  private int intelligence = 1;
  private int topologyId;
  private byte[] keyType = {0};
  private byte[] valueType = {0};
  private byte[] session = {};
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();

  RequestBytes(int version, int operation) {
    this.version = version;
    this.operation = operation;
  }

  RequestBytes id(long id) {
    this.id = id;
    return this;
  }

  RequestBytes cache(String cache) {
    this.cache = cache;
    return this;
  }

  RequestBytes flags(int flags) {
    this.flags = flags;
    return this;
  }

  RequestBytes topology(int intelligence, int topologyId) {
    this.intelligence = intelligence;
    this.topologyId = topologyId;
    return this;
  }

  /** Media types by their numbers, 0 for none. */
  RequestBytes types(int keyType, int valueType) {
    this.keyType = type(keyType);
    this.valueType = type(valueType);
    return this;
  }

  private static byte[] type(int id) {
    return id == 0 ? new byte[] {0} : new byte[] {1, (byte) id, 0};
  }

  /** A media type of keys and values by its number, with names and values of parameters. */
  RequestBytes typeWithParameters(int number, String... parameters) {
    ByteArrayOutputStream type = new ByteArrayOutputStream();
    type.write(1);
    type.write(number);
    type.write(parameters.length / 2);
    for (String parameter : parameters) {
      string(type, parameter);
    }
    keyType = type.toByteArray();
    valueType = keyType;
    return this;
  }

  /** A media type of the values by its name, with a parameter. */
  RequestBytes valueType(String name) {
    ByteArrayOutputStream type = new ByteArrayOutputStream();
    type.write(2);
    string(type, name);
    type.write(1);
    string(type, "q");
    string(type, "0.5");
    valueType = type.toByteArray();
    return this;
  }

  /** The session of the client, as raw bytes. */
  RequestBytes session(byte... field) {
    session = field;
    return this;
  }

  /**
   * The session and number of an operation.
   *
   * @param id the session, or 0 if an earlier request named it
   * @param number the number of the operation, the only unfinished one
   * @param ageMillis the time since it was first sent, or -1
   */
  RequestBytes session(long id, long number, long ageMillis) {
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    field.write((id == 0 ? 0 : 1) | (ageMillis < 0 ? 0 : 2));
    if (id != 0) {
      field.writeBytes(ByteBuffer.allocate(16).putLong(id).putLong(id).array());
    }
    vLong(field, number);
    vLong(field, 1);
    if (ageMillis >= 0) {
      vLong(field, ageMillis);
    }
    return session(field.toByteArray());
  }

  RequestBytes u8(int value) {
    body.write(value);
    return this;
  }

  RequestBytes vInt(long value) {
    vLong(body, value & 0xFFFFFFFFL);
    return this;
  }

  RequestBytes vLong(long value) {
    vLong(body, value);
    return this;
  }

  RequestBytes i32(int value) {
    body.writeBytes(ByteBuffer.allocate(4).putInt(value).array());
    return this;
  }

  RequestBytes i64(long value) {
    body.writeBytes(ByteBuffer.allocate(8).putLong(value).array());
    return this;
  }

  RequestBytes string(String text) {
    string(body, text);
    return this;
  }

  RequestBytes bytes(byte[] bytes) {
    vLong(body, bytes.length);
    body.writeBytes(bytes);
    return this;
  }

  /** The cache's default times in the form of the version. */
  RequestBytes defaultExpiry() {
    if (version < 22) {
      flags |= 6;
      return vInt(0).vInt(0);
    }
    return u8(0x77);
  }

  int flagsForReading() {
    return intelligence == 3 ? flags | Response.HASH_AWARE : flags;
  }

  byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0xA0);
    vLong(out, id);
    out.write(version);
    out.write(operation);
    string(out, cache);
    vLong(out, flags);
    out.write(intelligence);
    vLong(out, topologyId & 0xFFFFFFFFL);
    if (version >= 28) {
      out.writeBytes(keyType);
      out.writeBytes(valueType);
    }
    if (version >= 40) {
      out.write(session.length == 0 ? 1 : 2);
      string(out, "traceparent");
      string(out, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
      if (session.length > 0) {
        string(out, "ig");
        vLong(out, session.length);
        out.writeBytes(session);
      }
    }
    out.writeBytes(body.toByteArray());
    return out.toByteArray();
  }

  private static void string(ByteArrayOutputStream out, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    vLong(out, utf8.length);
    out.writeBytes(utf8);
  }

  private static void vLong(ByteArrayOutputStream out, long number) {
    long rest = number;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
