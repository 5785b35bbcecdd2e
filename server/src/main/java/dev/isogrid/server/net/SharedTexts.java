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
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Texts by name that all servers of a cluster have: the entries of a cache of the node itself. Each
 * server has a copy that it reads without waiting, and, with a data directory, a file that restores
 * them after a stop of all servers. When a change returns, it is in the file of its server.
 * Thread-safe.
 */
final class SharedTexts {
  /*
   * The copy follows the changes of the node's replica. A change may arrive some time after its
   * write is acknowledged: awaitHeard waits until all servers have it. A new replica does not
   * report its initial entries as changes, so the cache is read once at the start, and again by
   * reload. The greater version of a name wins, whatever its source; so a removal is remembered
   * until the end of the next reload.
   *
   * A change through this server is written to its file before the cluster gets it, so a full disk
   * refuses it while nothing has changed anywhere. Changes through other servers can't be refused;
   * they are retried until the disk takes them. The file follows the copy after each change, so it
   * also loses texts that were written but that the cluster refused.
   */

  private static final System.Logger log = System.getLogger(SharedTexts.class.getName());

  /**
   * The most texts. Each server reads all of them at its start, and writes all to its file at each
   * change.
   */
  private static final int TEXTS_MAX = 10_000;

  /** A text, or null for its removal, with the version of its entry. */
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

  private final Retrying retrying;

  /** The content of the file, or null if unknown. Read and written in {@link #keeping}. */
  private @Nullable Map<String, String> inFile = Map.of();

  /** Whether the file was read if necessary. Written in {@link #keeping}. */
  private boolean isRestored;

  private volatile @Nullable CacheEngine<BinaryKey, Bytes> engine;

  /**
   * Begins without texts; {@link #begin} gets them.
   *
   * @param cacheName a reserved one
   * @param kept the file, or null for none
   * @param isKept selects the names that are written to the file
   * @param whenChanged runs on a thread that may block, once for all changes since its last run
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
    this.retrying = new Retrying(node.env(), "taking over changes of " + cacheName, this::follow);
  }

  /**
   * Loads the cluster's texts, or else those of the file. May block for seconds.
   *
   * @throws InvalidRequestException if the file can't be read
   */
  void begin() {
    CacheEngine<BinaryKey, Bytes> cache = node.internalCache(cacheName, Transcoder.JAVA_OBJECT);
    cache.addListener(new Follower());
    engine = cache;
    reload();
    keeping.take(this::restore);
    keepOrRetry();
  }

  /** Restores the texts of the file, which stays unchanged until all are restored. */
  private void restore() {
    if (kept != null && all().isEmpty()) {
      Map<String, String> texts = kept.read();
      texts.forEach((name, text) -> apply(name, newPut(text).when(KeyWrite.Condition.ABSENT)));
      inFile = texts;
    }
    isRestored = true;
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

  /** A number that changes with each change of the texts. */
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

  /**
   * Sets a text. May block.
   *
   * @throws FatalGridException if the disk refuses it; then nothing has changed on any server
   */
  void put(String name, String text) {
    write(name, text, KeyWrite.Condition.NONE);
  }

  /** Sets a text unless there is one; returns whether it was set. As {@link #put}. */
  boolean putIfAbsent(String name, String text) {
    return write(name, text, KeyWrite.Condition.ABSENT).outcome() == KeyWrite.Outcome.DONE;
  }

  /** Changes an existing text; returns whether there is one. As {@link #put}. */
  boolean replace(String name, String text) {
    return write(name, text, KeyWrite.Condition.PRESENT).outcome() == KeyWrite.Outcome.DONE;
  }

  /** Removes a text; returns whether there was one. As {@link #put}. */
  boolean remove(String name) {
    return write(name, null, KeyWrite.Condition.NONE).existed();
  }

  private static KeyWrite<BinaryKey, Bytes> newPut(String text) {
    return new KeyWrite<BinaryKey, Bytes>()
        .put(Bytes.of(ScalarMarshaller.INSTANCE.toBytes(text)))
        .expiry(Expiry.UNLIMITED, Expiry.UNLIMITED);
  }

  private KeyWrite<BinaryKey, Bytes> write(
      String name, @Nullable String text, KeyWrite.Condition condition) {
    if (text != null && isFull(name)) {
      throw new InvalidRequestException(
          "too many: cache=%s, limit=%d; remove some first".formatted(cacheName, TEXTS_MAX));
    }
    KeyWrite<BinaryKey, Bytes> write =
        text == null ? new KeyWrite<BinaryKey, Bytes>().remove() : newPut(text).when(condition);
    if (kept == null || !isKept.test(name)) {
      apply(name, write);
      return write;
    }
    keeping.take(() -> {
      Map<String, String> next = keptTexts();
      if (condition == KeyWrite.Condition.NONE
          || next.containsKey(name) == (condition == KeyWrite.Condition.PRESENT)) {
        next.compute(name, (_, _) -> text);
        store(next);
      }
      try {
        apply(name, write);
      } finally {
        storeOrRetry();
      }
    });
    return write;
  }

  /** Whether there is no room for a text of a name that has none. */
  private boolean isFull(String name) {
    if (copy.size() < TEXTS_MAX || copy.containsKey(name)) {
      return false;
    }
    reload(); // which forgets removals
    return copy.size() >= TEXTS_MAX;
  }

  private void apply(String name, KeyWrite<BinaryKey, Bytes> write) {
    BinaryKey key = BinaryKey.of(ScalarMarshaller.INSTANCE.toBytes(name));
    engine().write(key, key.hash(), write);
  }

  /**
   * Runs a write to the cache itself, if the disk has room for it.
   *
   * @param bytesMax that the write adds to the file
   * @return the result of the write
   * @throws FatalGridException if the disk has no room; then the write was not run
   */
  boolean writeDirectly(int bytesMax, BooleanSupplier write) {
    if (kept == null) {
      return write.getAsBoolean();
    }
    KeptMap file = kept;
    AtomicBoolean result = new AtomicBoolean();
    keeping.take(() -> {
      file.probe(keptTexts(), bytesMax);
      try {
        result.set(write.getAsBoolean());
      } finally {
        storeOrRetry();
      }
    });
    return result.get();
  }

  /**
   * Waits until the copies of all servers have all changes before this call. Blocks.
   *
   * @throws dev.isogrid.api.IndeterminateGridException if a server does not confirm in time
   */
  void awaitHeard() {
    node.awaitHeardEverywhere(cacheName);
  }

  /** Reads everything again, in case the copy missed something. May block. */
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

  /**
   * Decodes a text, or returns null. Clients can put anything into some of these caches; bytes that
   * are not text have no effect.
   */
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
      follow();
    } catch (RuntimeException failure) {
      log.log(Level.WARNING, "change not taken over: cache=" + cacheName, failure);
      retrying.begin();
    }
  }

  /** Updates the file, and everything else that depends on the texts. */
  private void follow() {
    try {
      keep();
    } finally {
      whenChanged.run();
    }
  }

  /** Later does the same as {@link #tell} after a change, repeatedly until it succeeds. */
  void followLater() {
    retrying.begin();
  }

  /**
   * Writes the file, if there is one and its content differs.
   *
   * @throws FatalGridException if the disk refuses it
   */
  private void keep() {
    if (kept != null) {
      keeping.take(() -> store(keptTexts()));
    }
  }

  /** Writes the file in its necessary state, now or as soon as the disk takes it. */
  void keepOrRetry() {
    if (kept != null) {
      keeping.take(this::storeOrRetry);
    }
  }

  private Map<String, String> keptTexts() {
    Map<String, String> texts = all();
    texts.keySet().removeIf(name -> !isKept.test(name));
    return texts;
  }

  /** Writes the file. Needs the turn of {@link #keeping}. */
  private void store(Map<String, String> texts) {
    if (kept == null || !isRestored || texts.equals(inFile)) {
      return;
    }
    inFile = null; // after a failure it can be either
    try {
      kept.write(texts);
    } catch (FatalGridException failure) {
      retrying.begin();
      throw failure;
    }
    inFile = texts;
  }

  /** Writes the file now or later. Needs the turn of {@link #keeping}. */
  private void storeOrRetry() {
    try {
      store(keptTexts());
    } catch (FatalGridException failure) {
      log.log(Level.WARNING, "texts are not kept yet: cache=" + cacheName, failure);
    }
  }
}
