package dev.isogrid.chaos.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.isogrid.chaos.cluster.Place;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.marshall.IdentityMarshaller;

/**
 * Containers of the official client. Half of them know the topology and send each operation to the
 * primary owner of its key; the others know one node only, so that nodes forward operations to each
 * other. By default, no client repeats an operation by itself: a second attempt is another
 * operation, which the history lacks. Thread-safe.
 */
public final class HotRodAccess implements Access {
  /** Short, so that few threads wait for a paused node while the others continue. */
  private static final int ANSWER_MILLIS_MAX = 600;

  /** Long, so that a late write still counts. */
  private static final int PROBE_MILLIS_MAX = 2_000;

  private static final int CONNECT_MILLIS_MAX = 1_000;

  private final List<Place> places;
  private final List<HotRodStore> stores = new ArrayList<>();
  private final HotRodStore probing;
  private final int retries;

  /**
   * Connects to nodes.
   *
   * @param retries the number of repetitions of an operation without an answer, 0 or more
   */
  public HotRodAccess(List<Place> places, int retries) {
    this.places = List.copyOf(places);
    this.retries = retries;
    for (Place place : places) {
      stores.add(aware(ANSWER_MILLIS_MAX));
      stores.add(
          new HotRodStore(() ->
              new RoutedContainer(
                  builder(List.of(place), ANSWER_MILLIS_MAX)
                      .clientIntelligence(ClientIntelligence.BASIC)
                      .build())));
    }
    probing = aware(PROBE_MILLIS_MAX);
  }

  private HotRodStore aware(int answerMillisMax) {
    return new HotRodStore(() ->
        new RoutedContainer(
            builder(places, answerMillisMax)
                .clientIntelligence(ClientIntelligence.HASH_DISTRIBUTION_AWARE)
                .build()));
  }

  private ConfigurationBuilder builder(List<Place> places, int answerMillisMax) {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    places.forEach(place -> builder.addServer().host(place.host()).port(place.clientPort()));
    builder
        .marshaller(IdentityMarshaller.INSTANCE)
        .socketTimeout(answerMillisMax)
        .connectionTimeout(CONNECT_MILLIS_MAX)
        .maxRetries(retries);
    return builder;
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
    return probing;
  }

  @Override
  public List<Integer> owners(String key) {
    return probing.container().owners(key.getBytes(US_ASCII)).stream().map(this::index).toList();
  }

  /** The index of the node at an address. A node that joined later has none. */
  private int index(InetSocketAddress address) {
    return places.stream()
        .filter(
            p -> address.getHostString().equals(p.host()) && address.getPort() == p.clientPort())
        .mapToInt(Place::index)
        .findFirst()
        .orElse(places.size());
  }

  @Override
  public boolean repeats() {
    return retries > 0;
  }

  @Override
  public long operationMillisMax() {
    return HotRodStore.OPERATION_MILLIS_MAX;
  }

  @Override
  public void close() {
    stores.forEach(store -> store.container().close());
    probing.container().close();
  }
}
