package dev.isogrid.node;

import dev.isogrid.api.BytesStore;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheLoader;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.CacheStore;
import dev.isogrid.api.CacheStoreProvider;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.LoaderStore;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.StoreContext;
import dev.isogrid.api.WhenSplit;
import dev.isogrid.base.Env;
import dev.isogrid.engine.BackingStore;
import dev.isogrid.engine.LocalEngine;
import dev.isogrid.engine.StoreCalls;
import dev.isogrid.engine.StoreForm;
import dev.isogrid.engine.StoredForm;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Makes the stores outside of the grid that caches are configured with. Thread-safe. */
final class OutsideStores {
  private static final System.Logger log = System.getLogger(OutsideStores.class.getName());

  private final CacheMarshallers marshallers;
  private final Env env;
  private final ClassLoader classes;

  /**
   * For a node.
   *
   * @param ownClasses finds stores; null for the class loader of this thread
   */
  OutsideStores(CacheMarshallers marshallers, Env env, @Nullable ClassLoader ownClasses) {
    this.marshallers = marshallers;
    this.env = env;
    ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
    ClassLoader own = ownClasses == null ? ofThread : ownClasses;
    this.classes = own == null ? Objects.requireNonNull(getClass().getClassLoader()) : own;
  }

  /**
   * Refuses what a node of a cluster can't do.
   *
   * @throws InvalidRequestException saying what and why
   */
  static void checkClustered(String cache, CacheConfig config) {
    StoreConfig store = config.store();
    if (store == null) {
      return;
    }
    if (store.store() != null) {
      throw new InvalidRequestException(
          ("store of a cache in a cluster must be named, since each node makes its own: cache=%s,"
                  + " store=%s; use StoreConfig.named or loading with its class")
              .formatted(cache, store.store()));
    }
    if (config.mode() == CacheMode.LOCAL) {
      return;
    }
    boolean isPossible =
        (config.mode() == CacheMode.DIST_SYNC || config.mode() == CacheMode.REPL_SYNC)
            && config.whenSplit() != WhenSplit.ALLOW_READ_WRITES;
    if (!isPossible) {
      throw new InvalidRequestException(
          ("clustered cache can't have a store: cache=%s, mode=%s, when-split=%s; use a synchronous"
                  + " distributed or replicated cache that does not write on both sides of a split")
              .formatted(cache, config.mode(), config.whenSplit()));
    }
    if (!store.isShared()) {
      throw new InvalidRequestException(
          ("clustered cache needs a store that its nodes share: cache=%s, store=%s; set shared=true"
                  + " if all nodes reach the same entries")
              .formatted(cache, store.type()));
    }
    if (store.writeBehind() != null) {
      throw new InvalidRequestException(
          ("clustered cache can't write behind, since what waits for the store would be lost with"
                  + " its node: cache=%s, store=%s; leave out write-behind, or use a local cache")
              .formatted(cache, store.type()));
    }
  }

  /** Lets the store of a cache back its engine; opens nothing. */
  void back(LocalEngine<?, ?> engine, CacheConfig defined) {
    StoreConfig config = Objects.requireNonNull(defined.store());
    if (defined.storage() == StorageType.HEAP_OBJECT) {
      backObjects(engine, config, defined);
    } else {
      backBytes(engine, config, defined);
    }
  }

  @SuppressWarnings("unchecked") // the storage type tells the engine's type
  private void backObjects(LocalEngine<?, ?> any, StoreConfig config, CacheConfig defined) {
    LocalEngine<Object, Object> engine = (LocalEngine<Object, Object>) any;
    Made made = make(any.name(), defined);
    StoreForm<Object, Object> form =
        made.takesBytes()
            ? new BytesStoreForm<>(new ObjectStoredForm(marshallers.edge(any.name(), defined)))
            : new EdgeStoreForm<>(new ObjectEdge<>());
    back(engine, config, form, made);
  }

  @SuppressWarnings("unchecked") // the storage type tells the engine's type
  private void backBytes(LocalEngine<?, ?> any, StoreConfig config, CacheConfig defined) {
    LocalEngine<BinaryKey, Bytes> engine = (LocalEngine<BinaryKey, Bytes>) any;
    Made made = make(any.name(), defined);
    StoreForm<BinaryKey, Bytes> form =
        made.takesBytes()
            ? new BytesStoreForm<>(StoredForm.BYTES)
            : new EdgeStoreForm<>(marshallers.lenientEdge(any.name(), defined));
    back(engine, config, form, made);
  }

  private <S, T> void back(
      LocalEngine<S, T> engine, StoreConfig config, StoreForm<S, T> form, Made made) {
    StoreContext context =
        new StoreContext(engine.name(), config.properties(), engine.segmentCount(), classes);
    StoreCalls calls = new StoreCalls(engine.name(), made.name(), () -> made.open(context));
    engine.backBy(new BackingStore<>(engine, config, form, calls, env));
  }

  /**
   * Opens the store of a cache that is about to be made, and clears it if so configured.
   *
   * @throws RetryableGridException if the store fails; the message has the reason
   */
  void prepare(String cache, CacheConfig defined) {
    StoreConfig config = Objects.requireNonNull(defined.store());
    Made made = make(cache, defined);
    StoreContext context =
        new StoreContext(cache, config.properties(), defined.segments(), classes);
    StoreCalls calls = new StoreCalls(cache, made.name(), () -> made.open(context));
    try {
      calls.prepare(config.isPurged());
    } finally {
      calls.close();
    }
  }

  /** Loads the entries of a clustered cache, on a thread of its own. */
  void preloadSoon(LocalEngine<?, ?> engine) {
    BackingStore<?, ?> backing = Objects.requireNonNull(engine.backing());
    env.scheduler()
        .execute(() -> {
          try {
            long _ = backing.preload();
          } catch (RuntimeException failure) {
            log.log(
                Level.WARNING,
                "cache not preloaded, entries are loaded when they are read: cache=%s"
                    .formatted(engine.name()),
                failure);
          }
        });
  }

  /**
   * A store that was made, or why it could not be.
   *
   * @param store null if there is none
   * @param failure why, or null
   */
  private record Made(
      String name, @Nullable CacheStore<?, ?> store, @Nullable InvalidRequestException failure) {
    boolean takesBytes() {
      return store instanceof BytesStore || store == null;
    }

    @SuppressWarnings("unchecked") // its types are its user's promise
    CacheStore<Object, Object> open(StoreContext context) throws Exception {
      if (failure != null) {
        throw failure;
      }
      CacheStore<Object, Object> opened =
          (CacheStore<Object, Object>) Objects.requireNonNull(store);
      opened.open(context);
      return opened;
    }
  }

  private Made make(String cache, CacheConfig defined) {
    StoreConfig config = Objects.requireNonNull(defined.store());
    CacheStore<?, ?> given = config.store();
    if (given instanceof LoaderStore<?, ?> loader) {
      return new Made(loader.loader().getClass().getSimpleName(), loaded(loader, defined), null);
    }
    if (given != null) {
      return new Made(given.getClass().getSimpleName(), given, null);
    }
    try {
      CacheStore<?, ?> made = made(config.type());
      boolean isLoader = made instanceof LoaderStore<?, ?>;
      if (isLoader && !config.isReadOnly()) {
        return new Made(config.type(), null, notReadOnly(cache, config));
      }
      return new Made(
          config.type(),
          made instanceof LoaderStore<?, ?> loader ? loaded(loader, defined) : made,
          null);
    } catch (ReflectiveOperationException | LinkageError | ClassCastException cause) {
      InvalidRequestException failure =
          new InvalidRequestException(
              ("this node lacks the store of a cache: cache=%s, store=%s, reason=%s; put it on the"
                      + " class path, or into the folder of --tasks")
                  .formatted(cache, config.type(), cause),
              cause);
      return new Made(config.type(), null, failure);
    }
  }

  @SuppressWarnings("unchecked") // its types are its user's promise
  private LoadedEntries loaded(LoaderStore<?, ?> loader, CacheConfig defined) {
    return new LoadedEntries((LoaderStore<Object, Object>) loader, defined, env.epochClock());
  }

  private static InvalidRequestException notReadOnly(String cache, StoreConfig config) {
    return new InvalidRequestException(
        "a loader can't be written: cache=%s, loader=%s; set read-only=true"
            .formatted(cache, config.type()));
  }

  private CacheStore<?, ?> made(String type) throws ReflectiveOperationException {
    for (CacheStoreProvider provider : ServiceLoader.load(CacheStoreProvider.class, classes)) {
      if (provider.name().equals(type)) {
        return provider.newStore();
      }
    }
    Object made = Class.forName(type, true, classes).getConstructor().newInstance();
    return switch (made) {
      case CacheStore<?, ?> store -> store;
      case CacheLoader<?, ?> loader -> new LoaderStore<>(loader);
      default ->
          throw new ClassCastException("%s is no CacheStore and no CacheLoader".formatted(type));
    };
  }
}
