package dev.isogrid.stream;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.PackedEntries;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions and answers of streams as bytes. */
final class StreamCodec {
  /*
   * question   pipeline (bytes), segments (bits), cursor segment (4), cursor (bytes), page size (4)
   * answer     done (bits), refused (bits), cursor segment (4), cursor (bytes), then
   *              of a terminal: whether there is a result (1), the result (object)
   *              of a page of a stream without steps: number of entries (4), epoch of the versions
   *                (8), length (4), entries as PackedEntries has them
   *              of another page: number of elements (4), each: tag (1) and what it says; objects
   *                (bytes)
   * bytes      length (4), -1 for none, and so many bytes
   * bits       as BitSet has them, as bytes
   * object     in the form of Java's serialisation, as bytes
   * All numbers are big-endian. Between nodes of the same version only.
   */
  private static final int ROOM = 512;

  /** Room before packed entries for what is in front of them in an answer, which is mostly less. */
  static final int HEAD_ROOM = 512;

  private static final int NONE = 0;

  /** The bytes of a key or a value of the cache. */
  private static final int STORED = 1;

  /** The bytes of a key and of a value of the cache. */
  private static final int ENTRY = 2;

  private static final int SCALAR = 3;

  /** The next one of the objects at the end. */
  private static final int OBJECT = 4;

  private StreamCodec() {}

  static @Nullable Object object(byte[] bytes, ObjectReader objects) {
    try {
      return objects.read(bytes, 0, bytes.length);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "class not known on this node: class=%s; put it on the class path of all nodes"
              .formatted(e.getMessage()),
          e);
    } catch (IOException e) {
      throw new InvalidRequestException(
          ("functions or elements of a stream can't be read: %s; have their classes, in the same"
                  + " version, on all nodes")
              .formatted(e),
          e);
    }
  }

  private static void write(DataOutputStream out, byte @Nullable [] bytes) throws IOException {
    out.writeInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }

  private static byte @Nullable [] readOrNull(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0) {
      return null;
    }
    if (length > in.available()) {
      throw new IOException("cut short: length=%d, rest=%d".formatted(length, in.available()));
    }
    return in.readNBytes(length);
  }

  private static byte[] read(DataInputStream in) throws IOException {
    byte[] bytes = readOrNull(in);
    if (bytes == null) {
      throw new IOException("bytes expected");
    }
    return bytes;
  }

  @FunctionalInterface
  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  private static ByteString bytes(int room, Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(room);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      writing.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteString.of(bytes.toByteArray());
  }

  static ByteString encode(byte[] pipeline, Question question) {
    return bytes(
        ROOM + pipeline.length,
        out -> {
          write(out, pipeline);
          write(out, question.segments().toByteArray());
          out.writeInt(question.cursorSegment());
          write(out, question.cursor().key);
          out.writeInt(question.pageBytes());
        });
  }

  /** A question with its pipeline. */
  record Asked(Pipeline pipeline, Question question) {}

  static Asked decodeQuestion(ByteString bytes, ObjectReader objects) {
    try (DataInputStream in = stream(bytes)) {
      Pipeline pipeline = (Pipeline) object(read(in), objects);
      if (pipeline == null) {
        throw new IOException("pipeline expected");
      }
      Question question =
          new Question(
              BitSet.valueOf(read(in)),
              in.readInt(),
              new Question.Cursor(readOrNull(in)),
              in.readInt());
      return new Asked(pipeline, question);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static DataInputStream stream(ByteString bytes) {
    return new DataInputStream(
        new ByteArrayInputStream(bytes.sharedArray(), bytes.sharedFrom(), bytes.length()));
  }

  static ByteString encode(StreamAnswer answer, Pipeline pipeline, EntryForm<?, ?, ?, ?> form) {
    PackedEntries packed = answer.packed;
    ByteString head =
        bytes(
            ROOM,
            out -> {
              write(out, answer.done.toByteArray());
              write(out, answer.refused.toByteArray());
              out.writeInt(answer.cursorSegment);
              write(out, answer.cursor);
              if (pipeline.terminal != null) {
                out.writeBoolean(answer.hasResult);
                String what = "result of " + pipeline.terminal.kind();
                write(out, Pipeline.serialized(what, answer.result));
              } else if (pipeline.isRaw()) {
                out.writeInt(packed.count());
                out.writeLong(packed.epochBits());
                out.writeInt(packed.sizeBytes());
              } else {
                writeElements(out, answer.elements, pipeline, form);
              }
            });
    return pipeline.isRaw() ? packed.behind(head) : head;
  }

  static StreamAnswer decodeAnswer(
      ByteString bytes, Pipeline pipeline, EntryForm<?, ?, ?, ?> form, ObjectReader objects) {
    StreamAnswer answer = new StreamAnswer();
    try (DataInputStream in = stream(bytes)) {
      answer.done.or(BitSet.valueOf(read(in)));
      answer.refused.or(BitSet.valueOf(read(in)));
      answer.cursorSegment = in.readInt();
      answer.cursor = readOrNull(in);
      if (pipeline.terminal != null) {
        answer.hasResult = in.readBoolean();
        answer.result = object(read(in), objects);
      } else if (pipeline.isRaw()) {
        int count = in.readInt();
        long epochBits = in.readLong();
        int size = in.readInt();
        if (size < 0 || size > in.available()) {
          throw new IOException("cut short: size=%d, rest=%d".formatted(size, in.available()));
        }
        int from = bytes.sharedFrom() + bytes.length() - in.available();
        answer.packed = PackedEntries.of(bytes.sharedArray(), from, size, count, epochBits);
      } else {
        readElements(in, answer.elements, pipeline, form, objects);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return answer;
  }

  private static void writeElements(
      DataOutputStream out,
      List<@Nullable Object> elements,
      Pipeline pipeline,
      EntryForm<?, ?, ?, ?> form)
      throws IOException {
    out.writeInt(elements.size());
    boolean isOfOne = pipeline.part == EntryPart.KEYS || pipeline.part == EntryPart.VALUES;
    boolean isStored = pipeline.keepsElements() && isOfOne;
    ArrayList<@Nullable Object> objects = new ArrayList<>();
    for (Object element : elements) {
      switch (element) {
        case null -> out.writeByte(NONE);
        case LazyEntry<?, ?> entry -> {
          out.writeByte(ENTRY);
          write(out, entry.keyBytes);
          write(out, entry.valueBytes);
        }
        case Object kept when isStored -> {
          out.writeByte(STORED);
          write(out, stored(kept, pipeline.part, form));
        }
        case Object scalar when isScalar(scalar) -> {
          out.writeByte(SCALAR);
          write(out, ScalarMarshaller.INSTANCE.toBytes(scalar));
        }
        default -> {
          out.writeByte(OBJECT);
          objects.add(element);
        }
      }
    }
    write(out, objects.isEmpty() ? null : Pipeline.serialized("elements", objects));
  }

  private static boolean isScalar(Object object) {
    return object instanceof String
        || object instanceof Integer
        || object instanceof Long
        || object instanceof Double
        || object instanceof byte[];
  }

  @SuppressWarnings("unchecked") // elements are of the kind that the part says
  private static byte[] stored(Object element, EntryPart part, EntryForm<?, ?, ?, ?> form) {
    EntryForm<Object, Object, BinaryKey, Bytes> ofBytes =
        (EntryForm<Object, Object, BinaryKey, Bytes>) form;
    return part == EntryPart.KEYS
        ? ofBytes.storedKey(element).toByteArray()
        : ofBytes.storedValue(element).toByteArray();
  }

  private static void readElements(
      DataInputStream in,
      List<@Nullable Object> elements,
      Pipeline pipeline,
      EntryForm<?, ?, ?, ?> form,
      ObjectReader objects)
      throws IOException {
    int count = in.readInt();
    List<Integer> objectPlaces = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int tag = in.readByte();
      if (tag == OBJECT) {
        objectPlaces.add(i);
      }
      elements.add(
          switch (tag) {
            case STORED -> fromStored(read(in), pipeline.part, form);
            case ENTRY -> entry(form, read(in), read(in));
            case SCALAR -> ScalarMarshaller.INSTANCE.fromBytes(read(in));
            case NONE, OBJECT -> null;
            default -> throw new IOException("no such tag: tag=" + tag);
          });
    }
    byte[] rest = readOrNull(in);
    if (rest != null && object(rest, objects) instanceof List<?> known) {
      Iterator<Integer> places = objectPlaces.iterator();
      known.forEach(object -> elements.set(places.next(), object));
    }
  }

  @SuppressWarnings("unchecked") // entries in bytes are of caches of bytes
  private static Object entry(EntryForm<?, ?, ?, ?> form, byte[] key, byte[] value) {
    return new LazyEntry<>((EntryForm<Object, Object, BinaryKey, Bytes>) form, key, value);
  }

  /** The key or value of a user for the bytes of an element. */
  @SuppressWarnings("unchecked") // bytes are of caches of bytes
  private static Object fromStored(byte[] bytes, EntryPart part, EntryForm<?, ?, ?, ?> form) {
    EntryForm<Object, Object, BinaryKey, Bytes> ofBytes =
        (EntryForm<Object, Object, BinaryKey, Bytes>) form;
    return part == EntryPart.KEYS
        ? ofBytes.key(BinaryKey.of(bytes))
        : ofBytes.value(Bytes.of(bytes));
  }
}
