package dev.isogrid.engine;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.StoreEntry;
import dev.isogrid.engine.BackingStore.Wanted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a store that are loaded together. For one thread.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class StoreLoads<K, V> implements AutoCloseable {
  private final LocalEngine<K, V> engine;
  private final BackingStore<K, V> backing;
  private final List<Wanted<K, V>> wanted;

  /** By the key's identity. */
  private final Map<Object, Claimed<K, V>> claimed = new LinkedHashMap<>();

  private final List<Wanted<K, V>> others = new ArrayList<>();

  /** One that this thread loads. */
  private static final class Claimed<K, V> {
    private final Wanted<K, V> wanted;
    private final LoadClaim claim;
    private @Nullable StoreEntry<Object, Object> found;

    Claimed(Wanted<K, V> wanted, LoadClaim claim) {
      this.wanted = wanted;
      this.claim = claim;
    }
  }

  StoreLoads(LocalEngine<K, V> engine, BackingStore<K, V> backing, List<Wanted<K, V>> wanted) {
    this.engine = engine;
    this.backing = backing;
    this.wanted = wanted;
  }

  /** Takes the turns of the keys that are free; others are read one by one. */
  void claim() {
    for (Wanted<K, V> each : wanted) {
      Object identity = Flights.identity(each.key());
      Flight flight = engine.flights.of(each.key());
      boolean isMine = flight != null && flight.isMine();
      LoadClaim claim =
          isMine || claimed.containsKey(identity)
              ? null
              : engine.tryLoad(each.key(), each.hash(), backing.outerKey(each.key()));
      if (claim == null) {
        others.add(each);
      } else if (backing.isWaiting(each.key())) {
        claim.close();
        others.add(each);
      } else {
        claimed.put(identity, new Claimed<>(each, claim));
      }
    }
  }

  /** The keys that the store is asked for, in its form. */
  List<Object> keys() {
    List<Object> keys = new ArrayList<>(claimed.size());
    claimed.values().forEach(each -> keys.add(backing.outerKey(each.wanted.key())));
    return keys;
  }

  /** Takes what the store has. */
  void found(StoreEntry<Object, Object> entry) {
    Claimed<K, V> asked = claimed.get(Flights.identity(backing.key(entry.key())));
    if (asked != null) {
      asked.found = entry;
    }
  }

  /** Brings what was found into memory, and lets the readers see it. */
  void store() {
    for (Claimed<K, V> each : claimed.values()) {
      StoreEntry<Object, Object> found = each.found;
      engine.countLoad(found != null);
      if (found == null) {
        engine.countRead(false);
        continue;
      }
      each.claim.beginStoring();
      KeyWrite<K, V> restoring = backing.restoring(found);
      long version = 0;
      try {
        version = engine.writeMemory(each.wanted.key(), each.wanted.hash(), restoring);
      } catch (CacheFullException _) {
        // it is loaded the next time as well
      }
      if (restoring.outcome() == KeyWrite.Outcome.KEY_PRESENT) {
        others.add(each.wanted); // another node or an earlier call loaded it
      } else {
        if (version != 0) {
          engine.uncountStore();
        }
        backing.show(each.wanted, found, version);
        engine.countRead(true);
      }
    }
  }

  /** Reads those that another thread has the turns of. */
  void readOthers() {
    for (Wanted<K, V> each : others) {
      boolean _ = engine.read(each.key(), each.hash(), engine.newView(), each.reader());
    }
  }

  @Override
  public void close() {
    claimed.values().forEach(each -> each.claim.close());
  }
}
