package dev.isogrid.store;

import dev.isogrid.base.EpochClock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A kind of container, and how texts become its keys and values: what lets one test run against all
 * kinds.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public abstract class TextKind<K, V> {
  /** Containers of objects. */
  public static final TextKind<Object, Object> OBJECTS = new Objects();

  /** Containers of bytes. */
  public static final TextKind<BinaryKey, Bytes> BINARY = new Binary();

  /** Containers of bytes off the heap. */
  public static final TextKind<BinaryKey, Bytes> OFF_HEAP = new OffHeap();

  /** Containers of bytes whose values are compressed. */
  public static final TextKind<BinaryKey, Bytes> COMPRESSED_BINARY = new Compressed(false);

  /** Containers of bytes off the heap whose values are compressed. */
  public static final TextKind<BinaryKey, Bytes> COMPRESSED_OFF_HEAP = new Compressed(true);

  private TextKind() {}

  /** A new container. */
  public abstract Container<K, V> container(int segments, int epoch, EpochClock clock);

  /** Makes a container ready that was made elsewhere. */
  public void prepare(Container<?, ?> container) {
    // It is.
  }

  /** A text as a key. */
  public abstract K key(String text);

  /** The hash of a key. */
  public abstract int hash(K key);

  /** The text of a key. */
  public abstract String keyText(K key);

  /** A text as a value. */
  public abstract V value(String text);

  /** The text of a value. */
  public abstract String text(V value);

  /** Keys that all have the same hash, 2 at least. */
  public abstract List<String> keysOfOneHash();

  private static final class Objects extends TextKind<Object, Object> {
    @Override
    public Container<Object, Object> container(int segments, int epoch, EpochClock clock) {
      return Container.ofObjects(segments, epoch, clock, new Occupancy(true));
    }

    @Override
    public Object key(String text) {
      return text;
    }

    @Override
    public int hash(Object key) {
      return ObjectTables.hash(key);
    }

    @Override
    public String keyText(Object key) {
      return (String) key;
    }

    @Override
    public Object value(String text) {
      return text;
    }

    @Override
    public String text(Object value) {
      return (String) value;
    }

    /** "Aa" and "BB" have the same hash code, so all that is made of them has. */
    @Override
    public List<String> keysOfOneHash() {
      List<String> keys = new ArrayList<>();
      for (int bits = 0; bits < 16; bits++) {
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < 4; i++) {
          key.append((bits >> i & 1) == 0 ? "Aa" : "BB");
        }
        keys.add(key.toString());
      }
      return keys;
    }
  }

  private static class Binary extends TextKind<BinaryKey, Bytes> {
    private final List<String> keysOfOneHash = findKeysOfOneHash();

    @Override
    public Container<BinaryKey, Bytes> container(int segments, int epoch, EpochClock clock) {
      return Container.ofBinary(segments, epoch, clock, new Occupancy(true));
    }

    @Override
    public BinaryKey key(String text) {
      return BinaryKey.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int hash(BinaryKey key) {
      return key.hash();
    }

    @Override
    public String keyText(BinaryKey key) {
      return new String(key.toByteArray(), StandardCharsets.UTF_8);
    }

    @Override
    public Bytes value(String text) {
      return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String text(Bytes value) {
      return new String(value.toByteArray(), StandardCharsets.UTF_8);
    }

    @Override
    public List<String> keysOfOneHash() {
      return keysOfOneHash;
    }

    /** Among 200,000 random numbers of 32 bits are 4 or 5 pairs. */
    private List<String> findKeysOfOneHash() {
      Map<Integer, String> seen = HashMap.newHashMap(200_000);
      for (int i = 0; ; i++) {
        String key = "key" + i;
        String other = seen.putIfAbsent(key(key).hash(), key);
        if (other != null) {
          return List.of(other, key);
        }
      }
    }
  }

  private static final class OffHeap extends Binary {
    @Override
    public Container<BinaryKey, Bytes> container(int segments, int epoch, EpochClock clock) {
      return Container.ofOffHeap(
          segments, epoch, clock, new Occupancy(true), new PagePool(Long.MAX_VALUE));
    }
  }

  /** Values have a frame around their text, so that they are long enough to be compressed. */
  private static final class Compressed extends Binary {
    private static final String BEFORE =
        "{\"id\":17,\"name\":\"somebody\",\"city\":\"Somewhere\",\"text\":\"";
    private static final String AFTER = "\",\"active\":true,\"score\":12.5}";

    private final boolean isOffHeap;

    Compressed(boolean isOffHeap) {
      this.isOffHeap = isOffHeap;
    }

    @Override
    public Container<BinaryKey, Bytes> container(int segments, int epoch, EpochClock clock) {
      Occupancy occupancy = new Occupancy(true);
      Compressors compressors = JsonValues.COMPRESSORS;
      Container<BinaryKey, Bytes> container =
          isOffHeap
              ? Container.ofOffHeap(
                  segments, epoch, clock, occupancy, new PagePool(Long.MAX_VALUE), compressors)
              : Container.ofBinary(segments, epoch, clock, occupancy, compressors);
      prepare(container);
      return container;
    }

    @Override
    public void prepare(Container<?, ?> container) {
      container.compression().use(JsonValues.DICTIONARY);
    }

    @Override
    public Bytes value(String text) {
      return super.value(BEFORE + text + AFTER);
    }

    @Override
    public String text(Bytes value) {
      String whole = super.text(value);
      if (!whole.startsWith(BEFORE) || !whole.endsWith(AFTER)) {
        throw new AssertionError("not as it was written: " + whole);
      }
      return whole.substring(BEFORE.length(), whole.length() - AFTER.length());
    }
  }
}
