package dev.isogrid.types;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Maps and optionals by themselves, whose keys and values can be of any type. */
final class MapForms {
  private static final int ENTRY_TAG = 1 << 3 | MessageWriter.DELIMITED;

  private final Map<String, MessageCodec> byName = new HashMap<>();
  private final OptionalCodec optional;

  MapForms(WrappedCodec wrapped) {
    EntryCodec entries = new EntryCodec(wrapped, wrapped);
    for (Class<?> type : new Class<?>[] {HashMap.class, LinkedHashMap.class, TreeMap.class}) {
      byName.put(name(type), new MapCodec(type, entries));
    }
    optional = new OptionalCodec(wrapped);
    byName.put(name(Optional.class), optional);
  }

  private static String name(Class<?> type) {
    return JavaTypes.OWN_PACKAGE + type.getSimpleName();
  }

  @Nullable MessageCodec named(String typeName) {
    return byName.get(typeName);
  }

  /** The form of a map or an optional; null if it is none. */
  @Nullable WrappedForm form(Class<?> type) {
    if (type == Optional.class) {
      return new WrappedForm.Named(name(type), JavaTypes.NO_ID, optional);
    }
    if (!Map.class.isAssignableFrom(type)) {
      return null;
    }
    WrappedForm linked = form(LinkedHashMap.class, name(LinkedHashMap.class));
    if (CollectionTypes.isUnordered(type)) {
      return form(HashMap.class, name(HashMap.class));
    }
    WrappedForm sorted = form(TreeMap.class, name(TreeMap.class));
    return new WrappedForm() {
      @Override
      void write(MessageWriter out, Object value) {
        boolean isNatural = value instanceof TreeMap<?, ?> map && map.comparator() == null;
        (isNatural ? sorted : linked).write(out, value);
      }
    };
  }

  private WrappedForm form(Class<?> type, String name) {
    MessageCodec codec = byName.get(name);
    if (codec == null) {
      throw new IllegalArgumentException("no such map: " + type);
    }
    return new WrappedForm.Named(name, JavaTypes.NO_ID, codec);
  }

  private static final class MapCodec extends MessageCodec {
    private final Class<?> type;
    private final EntryCodec entries;

    MapCodec(Class<?> type, EntryCodec entries) {
      this.type = type;
      this.entries = entries;
    }

    @Override
    void writeBody(MessageWriter out, Object value) {
      Map<?, ?> map = (Map<?, ?>) value;
      if (type == HashMap.class && map.size() > 1) {
        UnorderedBytes.write(out, map.entrySet(), this::writeEntry);
      } else {
        for (Object entry : map.entrySet()) {
          writeEntry(out, entry);
        }
      }
    }

    private void writeEntry(MessageWriter out, @Nullable Object entry) {
      out.tag(ENTRY_TAG);
      entries.write(out, (Map.Entry<?, ?>) java.util.Objects.requireNonNull(entry));
    }

    @Override
    Object readBody(MessageReader in) {
      Map<@Nullable Object, @Nullable Object> map = CollectionTypes.newMap(type);
      try {
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
          if (tag == ENTRY_TAG) {
            int outer = in.enter();
            @Nullable Object[] pair = entries.readPair(in);
            in.leave(outer);
            map.put(pair[0], pair[1]);
          } else {
            in.skip(tag);
          }
        }
      } catch (ClassCastException | NullPointerException e) {
        throw MessageReader.malformed("keys that can't be compared");
      }
      return map;
    }
  }

  private static final class OptionalCodec extends MessageCodec {
    private static final int VALUE_TAG = 1 << 3 | MessageWriter.DELIMITED;

    private final WrappedCodec wrapped;

    OptionalCodec(WrappedCodec wrapped) {
      this.wrapped = wrapped;
    }

    @Override
    void writeBody(MessageWriter out, Object value) {
      Object content = ((Optional<?>) value).orElse(null);
      if (content != null) {
        out.tag(VALUE_TAG);
        wrapped.write(out, content);
      }
    }

    @Override
    Object readBody(MessageReader in) {
      Object content = null;
      for (int tag = in.tag(); tag != 0; tag = in.tag()) {
        if (tag == VALUE_TAG) {
          content = wrapped.read(in);
        } else {
          in.skip(tag);
        }
      }
      return Optional.ofNullable(content);
    }
  }
}
