package dev.isogrid.chaos.load;

import dev.isogrid.chaos.cluster.Place;
import dev.isogrid.client.BytesMarshaller;
import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.Intelligence;
import dev.isogrid.client.RemoteCacheManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Isogrid's own Hot Rod clients, with the retries that they have by default. A write that such a
 * client repeats takes effect once, so the history has it as one operation. Half of the clients
 * know the topology, as in {@link HotRodAccess}. Thread-safe.
 */
public final class IsogridAccess implements Access {
  /** Long enough for retries while another node takes over. */
  private static final int ANSWER_MILLIS_MAX = 2_000;

  private static final int CONNECT_MILLIS_MAX = 1_000;

  private final List<RemoteCacheManager> managers = new ArrayList<>();
  private final List<Store> stores = new ArrayList<>();

  /** Connects to nodes. */
  public IsogridAccess(List<Place> places) {
    for (Place place : places) {
      stores.add(store(places, Intelligence.HASH_DISTRIBUTION_AWARE));
      stores.add(store(List.of(place), Intelligence.BASIC));
    }
  }

  private Store store(List<Place> places, Intelligence intelligence) {
    ClientConfig.Builder config =
        ClientConfig.builder()
            .marshaller(new BytesMarshaller())
            .intelligence(intelligence)
            .operationTimeoutMillis(ANSWER_MILLIS_MAX)
            .connectTimeoutMillis(CONNECT_MILLIS_MAX);
    places.forEach(place -> config.addServer(place.host(), place.clientPort()));
    RemoteCacheManager manager = new RemoteCacheManager(config.build());
    managers.add(manager);
    return new IsogridStore(
        Objects.requireNonNull(manager.getCache(RoutedContainer.CACHE), "no such cache"));
  }

  @Override
  public int count() {
    return stores.size();
  }

  @Override
  public Store store(int index) {
    return stores.get(index % stores.size());
  }

  @Override
  public Store probing() {
    return stores.getFirst();
  }

  @Override
  public List<Integer> owners(String key) {
    return List.of();
  }

  @Override
  public boolean repeats() {
    return true;
  }

  @Override
  public long operationMillisMax() {
    return ANSWER_MILLIS_MAX * 2L;
  }

  @Override
  public void close() {
    managers.forEach(RemoteCacheManager::close);
  }
}
