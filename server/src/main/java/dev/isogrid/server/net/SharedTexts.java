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
 * server has a copy that it reads without waiting, and, with a data directory, a file from which
 * they come back when all servers were stopped; who changes something has it in the file of its
 * server when the call returns. Thread-safe.
 */
final class SharedTexts {
  /*
   * The copy follows the changes of the node's replica. It may hear of one some time
   * after the write that made it is acknowledged: awaitHeard waits until all servers have heard. A
   * replica that is being made is not told what it is given
   * at first, so the cache is read once at the start, and again by reload. The greater version of a
   * name wins, whichever way it came; a removal is remembered for that until the next reload is
   * through.
   *
   * A change through this server is written to its file before the cluster gets it, so a full disk
   * refuses it while nothing has changed anywhere. Changes through other servers can't be refused;
   * what the disk does not take of them is tried again until it does. The file follows the copy
   * after each change, so it also loses what was written but not taken by the cluster.
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

  private final Retrying retrying;

  /** What the file holds, or null if that is not known. Read and written in {@link #keeping}. */
  private @Nullable Map<String, String> inFile = Map.of();

  /** Whether the file was read if it had to be. Written in {@link #keeping}. */
  private boolean isRestored;

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
    this.retrying = new Retrying(node.env(), "taking over changes of " + cacheName, this::follow);
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
    keeping.take(this::restore);
    keepOrRetry();
  }

  /** Until all are there, the file is left alone. */
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

  /**
   * Sets a text. May block.
   *
   * @throws FatalGridException if the disk refuses it; nothing has changed then, on no server
   */
  void put(String name, String text) {
    write(name, text, KeyWrite.Condition.NONE);
  }

  /** Sets a text where there is none; whether there was none. As {@link #put}. */
  boolean putIfAbsent(String name, String text) {
    return write(name, text, KeyWrite.Condition.ABSENT).outcome() == KeyWrite.Outcome.DONE;
  }

  /** Changes a text that there is; whether there is one. As {@link #put}. */
  boolean replace(String name, String text) {
    return write(name, text, KeyWrite.Condition.PRESENT).outcome() == KeyWrite.Outcome.DONE;
  }

  /** Removes a text; whether there was one. As {@link #put}. */
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
    if (copy.size() >= TEXTS_MAX && !copy.containsKey(name)) {
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

  private void apply(String name, KeyWrite<BinaryKey, Bytes> write) {
    BinaryKey key = BinaryKey.of(ScalarMarshaller.INSTANCE.toBytes(name));
    engine().write(key, key.hash(), write);
  }

  /**
   * Runs a write to the cache itself, if the disk has room for what it adds.
   *
   * @param bytesMax that the write adds to the file
   * @return what the write returned
   * @throws FatalGridException if the disk has no room; the write was not run then
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
   * Waits until the copies of all servers have what was changed before this call. Blocks.
   *
   * @throws dev.isogrid.api.IndeterminateGridException if one does not say so in time
   */
  void awaitHeard() {
    node.awaitHeardEverywhere(cacheName);
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
      follow();
    } catch (RuntimeException failure) {
      log.log(Level.WARNING, "change not taken over: cache=" + cacheName, failure);
      retrying.begin();
    }
  }

  /** Makes the file, and what else depends on the texts, as they are now. */
  private void follow() {
    try {
      keep();
    } finally {
      whenChanged.run();
    }
  }

  /** Does later, and again until it succeeds, what {@link #tell} does after a change. */
  void followLater() {
    retrying.begin();
  }

  /**
   * Writes the file, if there is one and it holds something else.
   *
   * @throws FatalGridException if the disk refuses it
   */
  private void keep() {
    if (kept != null) {
      keeping.take(() -> store(keptTexts()));
    }
  }

  /** Writes the file as it must be, now or as soon as the disk takes it. */
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

  /** Needs the turn of {@link #keeping}. */
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

  /** Needs the turn of {@link #keeping}. */
  private void storeOrRetry() {
    try {
      store(keptTexts());
    } catch (FatalGridException failure) {
      log.log(Level.WARNING, "texts are not kept yet: cache=" + cacheName, failure);
    }
  }
}
