package dev.isogrid.server.hotrod;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A response, parsed independently of the code under test: all fields as text by their names, in
 * order. Lists without an order are sorted.
 */
record Response(long id, int operation, int status, boolean hasTopology, List<Field> fields) {
  private static final HexFormat HEX = HexFormat.of();

  /** A field: bytes in hexadecimal form, numbers in decimal form, text unchanged. */
  record Field(String name, String value) {}

  /** The value of the only field of a name. */
  String field(String name) {
    List<String> values = all(name);
    if (values.size() != 1) {
      throw new AssertionError("field " + name + " in " + this);
    }
    return values.get(0);
  }

  /** The values of all fields of a name. */
  List<String> all(String name) {
    return fields.stream().filter(f -> f.name.equals(name)).map(Field::value).toList();
  }

  boolean has(String name) {
    return fields.stream().anyMatch(f -> f.name.equals(name));
  }

  /** The bytes of a field as UTF-8. */
  String text(String name) {
    return new String(HEX.parseHex(field(name)), StandardCharsets.UTF_8);
  }

  boolean isEvent() {
    return (operation >= 0x60 && operation <= 0x63) || operation == 0x66;
  }

  static Response read(WireInput in, int version, int requestFlags) {
    if (in.u8() != 0xA1) {
      throw new AssertionError("not a response");
    }
    Body body = new Body(in, version);
    long id = in.vLong();
    int operation = in.u8();
    int status = in.u8();
    boolean hasTopology = in.u8() == 1;
    if (hasTopology) {
      body.topology(requestFlags);
    }
    body.read(operation, status);
    return new Response(id, operation, status, hasTopology, body.fields);
  }

  /** The bit of hash-aware intelligence: tests pass it in the upper bits of the flags. */
  static final int HASH_AWARE = 1 << 30;

  private static final class Body {
    private final WireInput in;
    private final int version;
    final List<Field> fields = new ArrayList<>();

    Body(WireInput in, int version) {
      this.in = in;
      this.version = version;
    }

    private void add(String name, Object value) {
      fields.add(new Field(name, value.toString()));
    }

    private String hex() {
      return HEX.formatHex(in.bytes());
    }

    void topology(int flags) {
      add("topology id", in.vInt());
      int servers = in.vInt();
      for (int i = 0; i < servers; i++) {
        add("server", in.string() + ":" + in.u16());
      }
      if ((flags & HASH_AWARE) == 0) {
        return;
      }
      add("hash function", in.u8());
      int segments = in.vInt();
      add("segments", segments);
      for (int i = 0; i < segments; i++) {
        StringBuilder owners = new StringBuilder();
        for (int owner = in.u8(); owner > 0; owner--) {
          owners.append(in.vInt()).append(' ');
        }
        add("owners", owners.toString().strip());
      }
    }

    void read(int operation, int status) {
      if (operation == 0x50 || status >= 0x80) {
        add("message", in.string());
        return;
      }
      switch (operation) {
        case 0x02, 0x06, 0x08, 0x0A, 0x0C, 0x0E -> previous(status);
        case 0x04 -> {
          if (status == 0) {
            add("value", hex());
          }
        }
        case 0x12 -> {
          if (status == 0) {
            add("version", in.i64());
            add("value", hex());
          }
        }
        case 0x1C, 0x38 -> {
          if (status == 0) {
            metadata("");
            add("value", hex());
          }
        }
        case 0xE8 -> {
          if (status == 0) {
            add("stream id", in.i32());
            add("complete", in.u8());
            metadata("");
            add("chunk", hex());
          }
        }
        case 0xE6 -> {
          add("stream id", in.i32());
          add("complete", in.u8());
          add("chunk", hex());
        }
        case 0xEE -> add("stream id", in.i32());
        case 0x18 -> ping();
        case 0x16 -> pairs("stat", true);
        case 0x1A -> continued(true);
        case 0x1E -> continued(false);
        case 0x22 -> {
          int count = in.vInt();
          for (int i = 0; i < count; i++) {
            add("mechanism", in.string());
          }
        }
        case 0x24 -> {
          add("completed", in.u8());
          add("challenge", hex());
        }
        case 0x2A -> add("size", in.vLong());
        case 0x2C -> add("result", in.string());
        case 0x30 -> pairs("entry", false);
        case 0x32 -> add("iteration id", in.string());
        case 0x34 -> iteration();
        case 0x60, 0x61, 0x62, 0x63 -> event(operation);
        case 0x10, 0x14, 0x26, 0x28, 0x2E, 0x36, 0x3A, 0x42, 0x44, 0xE4, 0xEA, 0xEC -> {}
        case 0x4C, 0x51, 0x55, 0x5B, 0x5D, 0x5F, 0x6C -> {}
        case 0x4E, 0x53, 0x57, 0x59, 0x65, 0x66, 0x80 -> counter(operation, status);
        case 0x68, 0x6A, 0x6E, 0x70, 0x72, 0x74, 0x76, 0x78 -> multimap(operation, status);
        default -> throw new AssertionError("response of operation " + operation);
      }
    }

    private void counter(int operation, int status) {
      if (status != 0) {
        return;
      }
      switch (operation) {
        case 0x4E -> {
          int flags = in.u8();
          add("flags", flags);
          if ((flags & 1) != 0) {
            add("concurrency", in.vInt());
          }
          if ((flags & 2) != 0) {
            add("lower", in.i64());
            add("upper", in.i64());
          }
          add("initial", in.i64());
        }
        case 0x65 -> {
          int count = in.vInt();
          TreeSet<String> names = new TreeSet<>();
          for (int i = 0; i < count; i++) {
            names.add(in.string());
          }
          names.forEach(name -> add("name", name));
        }
        case 0x66 -> {
          add("name", in.string());
          add("listener", hex());
          add("states", in.u8());
          add("old", in.i64());
          add("new", in.i64());
        }
        default -> add("number", in.i64());
      }
    }

    private void multimap(int operation, int status) {
      switch (operation) {
        case 0x68, 0x6A -> {
          if (status == 0) {
            if (operation == 0x6A) {
              metadata("");
            }
            int count = in.vInt();
            List<String> values = new ArrayList<>();
            for (int i = 0; i < count; i++) {
              values.add(hex());
            }
            values.sort(null);
            values.forEach(value -> add("value", value));
          }
        }
        case 0x72 -> add("size", in.vLong());
        default -> add("is", in.u8());
      }
    }

    private void event(int operation) {
      add("listener", hex());
      int marker = in.u8();
      add("marker", marker);
      add("retried", in.u8());
      boolean hasVersion = operation == 0x60 || operation == 0x61;
      if (marker == 0) {
        add("key", hex());
        if (hasVersion) {
          add("version", in.i64());
        }
        return;
      }
      WireInput data = new WireInput(in.bytes());
      add("key", HEX.formatHex(data.bytes()));
      if (hasVersion) {
        add("value", HEX.formatHex(data.bytes()));
        add("version", data.i64());
      }
      if (data.hasMore()) {
        throw new AssertionError("more in an event than should be");
      }
    }

    private void previous(int status) {
      if (status == 3 || status == 4 || status == 7 || status == 8) {
        if (version >= 40) {
          metadata("previous ");
        }
        add("previous", hex());
      }
    }

    private void metadata(String prefix) {
      int flags = in.u8();
      if ((flags & 1) == 0) {
        add(prefix + "created", in.i64());
        add(prefix + "lifespan", in.vInt());
      }
      if ((flags & 2) == 0) {
        add(prefix + "last used", in.i64());
        add(prefix + "max idle", in.vInt());
      }
      add(prefix + "version", in.i64());
    }

    private void ping() {
      if (version >= 29) {
        add("key type", mediaType());
        add("value type", mediaType());
      }
      if (version >= 30) {
        add("newest", in.u8());
        int count = in.vInt();
        for (int i = 0; i < count; i++) {
          add("operation", in.u16());
        }
      }
    }

    private String mediaType() {
      int kind = in.u8();
      if (kind == 0) {
        return "none";
      }
      String name = kind == 1 ? "id " + in.vInt() : in.string();
      int parameters = in.vInt();
      for (int i = 0; i < 2 * parameters; i++) {
        in.string();
      }
      return name;
    }

    private void pairs(String name, boolean text) {
      int count = in.vInt();
      Map<String, String> sorted = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        String before = text ? in.string() : hex();
        if (sorted.put(before, text ? in.string() : hex()) != null) {
          throw new AssertionError("twice: " + before);
        }
      }
      sorted.forEach((key, value) -> add(name, key + "=" + value));
    }

    private void continued(boolean values) {
      Map<String, String> sorted = new TreeMap<>();
      while (in.u8() == 1) {
        sorted.put(hex(), values ? "=" + hex() : "");
      }
      sorted.forEach((key, value) -> add("entry", key + value));
    }

    private void iteration() {
      add("finished", hex());
      int count = in.vInt();
      add("count", count);
      if (count > 0 && version >= 24) {
        add("projections", in.vInt());
      }
      for (int i = 0; i < count; i++) {
        if (version >= 25 && in.u8() == 1) {
          metadata("entry ");
        }
        add("entry", hex() + "=" + hex());
      }
    }
  }
}
