package dev.isogrid.server.net;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.Turns;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.Change;
import dev.isogrid.engine.ChangeListener;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.node.Node;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Texts by name that all servers of a cluster have: the entries of a cache of the node itself. Each
 * server has a copy that it reads without waiting, and, with a data directory, a file from which
 * they come back when all servers were stopped; who changes something has it in the file of its
 * server when the call returns. Thread-safe.
 */
final class SharedTexts {
  /*
   * The copy follows the changes that the node's replica tells of; a change is told before the
   * write that made it is acknowledged. A replica that is being made is not told what it is given
   * at first, so the cache is read once at the start, and again by reload. The greater version of a
   * name wins, whichever way it came; a removal is remembered for that until the next reload is
   * through.
   */

  private static final System.Logger log = System.getLogger(SharedTexts.class.getName());

  /** Each server reads all of them at its start, and writes all to its file at each change. */
  private static final int TEXTS_MAX = 10_000;

  /** A text, or null for its removal, as of a version of its entry. */
  private record Versioned(long version, @Nullable String text) {}

  private final Node node;
  private final String cacheName;
  private final @Nullable KeptMap kept;
  private final Predicate<String> isKept;
  private final Runnable whenChanged;
  private final ConcurrentHashMap<String, Versioned> copy = new ConcurrentHashMap<>();
  private final AtomicLong changes = new AtomicLong();
  private final AtomicBoolean isTold = new AtomicBoolean();
  private final Turns reloading = new Turns("reading all texts");
  private final Turns keeping = new Turns("writing a file of texts");

  /** What the file holds, as far as that is known; for who has the turn of {@link #keeping}. */
  private Map<String, String> inFile = Map.of();

  private volatile @Nullable CacheEngine<BinaryKey, Bytes> engine;

  /**
   * Begins without texts; {@link #begin} gets them.
   *
   * @param cacheName a reserved one
   * @param kept the file, or null for none
   * @param isKept which names are written to the file
   * @param whenChanged run on a thread that may block, once for all changes that came meanwhile
   */
  SharedTexts(
      Node node,
      String cacheName,
      @Nullable KeptMap kept,
      Predicate<String> isKept,
      Runnable whenChanged) {
    this.node = node;
    this.cacheName = cacheName;
    this.kept = kept;
    this.isKept = isKept;
    this.whenChanged = whenChanged;
  }

  /**
   * Gets the texts that the cluster has; if it has none, those of the file. May block for seconds.
   *
   * @throws InvalidRequestException if the file can't be read
   */
  void begin() {
    CacheEngine<BinaryKey, Bytes> cache = node.internalCache(cacheName, Transcoder.JAVA_OBJECT);
    cache.addListener(new Follower());
    engine = cache;
    reload();
    if (kept != null && all().isEmpty()) {
      kept.read().forEach(this::putIfAbsent);
    }
  }

  /** Whether {@link #begin} was called. */
  boolean isBegun() {
    return engine != null;
  }

  private CacheEngine<BinaryKey, Bytes> engine() {
    CacheEngine<BinaryKey, Bytes> cache = engine;
    if (cache == null) {
      throw new FatalGridException("server not started yet: cache=" + cacheName + "; try again");
    }
    return cache;
  }

  /** A number that is another one after each change. */
  long version() {
    return changes.get();
  }

  /** All texts by their names. */
  Map<String, String> all() {
    Map<String, String> texts = new TreeMap<>();
    copy.forEach((name, versioned) -> {
      if (versioned.text() != null) {
        texts.put(name, versioned.text());
      }
    });
    return texts;
  }

  /** The text of a name, or null. */
  @Nullable String get(String name) {
    Versioned versioned = copy.get(name);
    return versioned == null ? null : versioned.text();
  }

  /** Sets a text. May block. */
  void put(String name, String text) {
    write(name, newPut(text));
  }

  /** Sets a text where there is none; whether there was none. May block. */
  boolean putIfAbsent(String name, String text) {
    return write(name, newPut(text).when(KeyWrite.Condition.ABSENT)).outcome()
        == KeyWrite.Outcome.DONE;
  }

  /** Changes a text that there is; whether there is one. May block. */
  boolean replace(String name, String text) {
    return write(name, newPut(text).when(KeyWrite.Condition.PRESENT)).outcome()
        == KeyWrite.Outcome.DONE;
  }

  /** Removes a text; whether there was one. May block. */
  boolean remove(String name) {
    return write(name, new KeyWrite<BinaryKey, Bytes>().remove()).existed();
  }

  private static KeyWrite<BinaryKey, Bytes> newPut(String text) {
    return new KeyWrite<BinaryKey, Bytes>()
        .put(Bytes.of(ScalarMarshaller.INSTANCE.toBytes(text)))
        .expiry(Expiry.UNLIMITED, Expiry.UNLIMITED);
  }

  private KeyWrite<BinaryKey, Bytes> write(String name, KeyWrite<BinaryKey, Bytes> write) {
    if (copy.size() >= TEXTS_MAX && !copy.containsKey(name)) {
      throw new InvalidRequestException(
          "too many: cache=%s, limit=%d; remove some first".formatted(cacheName, TEXTS_MAX));
    }
    BinaryKey key = BinaryKey.of(ScalarMarshaller.INSTANCE.toBytes(name));
    engine().write(key, key.hash(), write);
    keep();
    return write;
  }

  /** Reads everything anew, in case the copy missed something. May block. */
  void reload() {
    reloading.take(this::readAll);
  }

  private void readAll() {
    CacheEngine<BinaryKey, Bytes> cache = engine();
    EntryView<BinaryKey, Bytes> view = cache.newView();
    try (EntryWalk<BinaryKey, Bytes> walk = cache.walk()) {
      while (walk.next(view)) {
        note(view.key(), view.value(), view.version());
      }
    }
    copy.values().removeIf(versioned -> versioned.text() == null);
  }

  private void note(BinaryKey key, @Nullable Bytes value, long version) {
    String name = text(key.toByteArray());
    if (name == null) {
      return;
    }
    String text = value == null ? null : text(value.toByteArray());
    Versioned now = new Versioned(version, text);
    Versioned latest =
        copy.merge(name, now, (old, other) -> other.version() > old.version() ? other : old);
    if (latest.equals(now)) {
      changes.incrementAndGet();
    }
  }

  /** Clients can put anything in some of these caches; what is no text has no effect. */
  private static @Nullable String text(byte[] stored) {
    try {
      return ScalarMarshaller.INSTANCE.fromBytes(stored) instanceof String text ? text : null;
    } catch (InvalidRequestException e) {
      return null;
    }
  }

  /** Keeps the copy up to date. */
  private final class Follower implements ChangeListener<BinaryKey, Bytes> {
    @Override
    public void onChange(Change<BinaryKey, Bytes> change) {
      note(change.key(), change.value(), change.version());
    }

    @Override
    public void afterChange(int segment) {
      if (isTold.compareAndSet(false, true)) {
        try {
          node.env().scheduler().execute(SharedTexts.this::tell);
        } catch (RejectedExecutionException _) { // the server is stopping
        }
      }
    }
  }

  private void tell() {
    isTold.set(false);
    try {
      keep();
      whenChanged.run();
    } catch (RuntimeException failure) {
      log.log(Level.WARNING, "change not taken over: cache=" + cacheName, failure);
    }
  }

  /**
   * Writes the file, if there is one and it holds something else.
   *
   * @throws FatalGridException if the disk refuses it
   */
  void keep() {
    if (kept == null) {
      return;
    }
    KeptMap file = kept;
    keeping.take(() -> {
      Map<String, String> texts = all();
      texts.keySet().removeIf(name -> !isKept.test(name));
      if (!texts.equals(inFile)) {
        file.write(texts);
        inFile = texts;
      }
    });
  }
}
