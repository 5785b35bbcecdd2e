package dev.isogrid.types;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Components that are objects. */
final class ObjectFields {
  private ObjectFields() {}

  /**
   * The field of a component.
   *
   * @param codec of its elements
   * @param key codec of a map's keys; null for others
   */
  static RecordField of(
      FieldType type, RecordField.Origin origin, Codec codec, @Nullable Codec key) {
    return switch (type.shape()) {
      case SINGLE -> new SingleField(origin, codec);
      case OPTIONAL -> new OptionalField(origin, codec);
      case REPEATED -> new RepeatedField(origin, codec, type.raw());
      case MAP -> {
        if (key == null) {
          throw new IllegalArgumentException("map without a codec of its keys: " + origin);
        }
        yield new MapField(origin, new EntryCodec(key, codec), type.raw());
      }
    };
  }

  private static final class SingleField extends RecordField {
    private final Codec codec;
    private final int tag;

    SingleField(Origin origin, Codec codec) {
      super(origin);
      this.codec = codec;
      this.tag = tag(number, codec.wireType());
    }

    @Override
    Written write(MessageWriter out, Object record) throws Throwable {
      Object value = (Object) getter.invokeExact(record);
      if (value == null) {
        return Written.NULL;
      }
      out.tag(tag);
      codec.write(out, value);
      return Written.VALUE;
    }

    @Override
    @Nullable Object read(MessageReader in, int wireType, @Nullable Object former) {
      return codec.readAs(in, wireType);
    }

    @Override
    @Nullable Object absent() {
      return null;
    }
  }

  private static final class OptionalField extends RecordField {
    private final Codec codec;
    private final int tag;

    OptionalField(Origin origin, Codec codec) {
      super(origin);
      this.codec = codec;
      this.tag = tag(number, codec.wireType());
    }

    @Override
    Written write(MessageWriter out, Object record) throws Throwable {
      Optional<?> optional = (Optional<?>) (Object) getter.invokeExact(record);
      if (optional == null) {
        return Written.NULL;
      }
      if (optional.isEmpty()) {
        return Written.EMPTY;
      }
      out.tag(tag);
      codec.write(out, optional.get());
      return Written.VALUE;
    }

    @Override
    @Nullable Object read(MessageReader in, int wireType, @Nullable Object former) {
      Object value = codec.readAs(in, wireType);
      return value == null ? null : Optional.of(value);
    }

    @Override
    Object absent() {
      return Optional.empty();
    }

    @Override
    boolean isEmptyIfAbsent() {
      return true;
    }
  }

  /** A list, set or array. */
  private static final class RepeatedField extends RecordField {
    private final Codec codec;
    private final Class<?> declared;
    private final int tag;

    RepeatedField(Origin origin, Codec codec, Class<?> declared) {
      super(origin);
      this.codec = codec;
      this.declared = declared;
      this.tag = tag(number, codec.wireType());
    }

    @Override
    Written write(MessageWriter out, Object record) throws Throwable {
      Object container = (Object) getter.invokeExact(record);
      if (container == null) {
        return Written.NULL;
      }
      Collection<?> elements = CollectionTypes.elements(container);
      if (elements.size() > 1 && CollectionTypes.isUnordered(container)) {
        UnorderedBytes.write(out, elements, this::writeElement);
      } else {
        for (Object element : elements) {
          writeElement(out, element);
        }
      }
      return elements.isEmpty() ? Written.EMPTY : Written.VALUE;
    }

    private void writeElement(MessageWriter out, @Nullable Object element) {
      out.tag(tag);
      if (element != null) {
        codec.write(out, element);
      } else if (codec instanceof WrappedCodec) {
        out.varint(0);
      } else {
        throw nullElement();
      }
    }

    @Override
    Object read(MessageReader in, int wireType, @Nullable Object former) {
      @SuppressWarnings("unchecked") // it was made here
      List<@Nullable Object> elements =
          former == null ? new ArrayList<>() : (List<@Nullable Object>) former;
      if (wireType == MessageWriter.DELIMITED && codec.wireType() != MessageWriter.DELIMITED) {
        int outer = in.enter();
        while (in.remaining() > 0) {
          add(elements, codec.read(in));
        }
        in.leave(outer);
      } else {
        add(elements, codec.readAs(in, wireType));
      }
      return elements;
    }

    private void add(List<@Nullable Object> elements, @Nullable Object element) {
      if (element == null && !(codec instanceof WrappedCodec)) {
        throw unknownElement();
      }
      elements.add(element);
    }

    @Override
    Object finish(Object read) {
      @SuppressWarnings("unchecked") // it was made here
      List<@Nullable Object> elements = (List<@Nullable Object>) read;
      return CollectionTypes.fill(declared, elements);
    }

    @Override
    Object absent() {
      return CollectionTypes.fill(declared, new ArrayList<>());
    }

    @Override
    boolean isEmptyIfAbsent() {
      return true;
    }
  }

  private static final class MapField extends RecordField {
    private final EntryCodec codec;
    private final Class<?> declared;
    private final int tag;

    MapField(Origin origin, EntryCodec codec, Class<?> declared) {
      super(origin);
      this.codec = codec;
      this.declared = declared;
      this.tag = tag(number, MessageWriter.DELIMITED);
    }

    @Override
    Written write(MessageWriter out, Object record) throws Throwable {
      Map<?, ?> map = (Map<?, ?>) (Object) getter.invokeExact(record);
      if (map == null) {
        return Written.NULL;
      }
      if (map.size() > 1 && CollectionTypes.isUnordered(map)) {
        UnorderedBytes.write(out, map.entrySet(), this::writeEntry);
      } else {
        for (Object entry : map.entrySet()) {
          writeEntry(out, entry);
        }
      }
      return map.isEmpty() ? Written.EMPTY : Written.VALUE;
    }

    private void writeEntry(MessageWriter out, @Nullable Object entry) {
      if (entry instanceof Map.Entry<?, ?> pair && codec.accepts(pair.getKey(), pair.getValue())) {
        out.tag(tag);
        codec.write(out, pair);
      } else {
        throw nullElement();
      }
    }

    @Override
    Object read(MessageReader in, int wireType, @Nullable Object former) {
      @SuppressWarnings("unchecked") // it was made here
      Map<@Nullable Object, @Nullable Object> map =
          former == null
              ? CollectionTypes.newMap(declared)
              : (Map<@Nullable Object, @Nullable Object>) former;
      MessageReader.expect(MessageWriter.DELIMITED, wireType);
      int outer = in.enter();
      @Nullable Object[] pair = codec.readPair(in);
      in.leave(outer);
      if (!codec.accepts(pair[0], pair[1])) {
        throw unknownElement();
      }
      map.put(pair[0], pair[1]);
      return map;
    }

    @Override
    Object absent() {
      return CollectionTypes.newMap(declared);
    }

    @Override
    boolean isEmptyIfAbsent() {
      return true;
    }
  }
}
