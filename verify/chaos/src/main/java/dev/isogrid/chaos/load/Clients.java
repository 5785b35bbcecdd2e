package dev.isogrid.chaos.load;

import dev.isogrid.chaos.cluster.Place;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.marshall.IdentityMarshaller;

/**
 * Containers of the official client. Half of them know the topology and send each operation to the
 * primary owner of its key; the others know one node only, so that nodes forward operations to each
 * other. None repeats an operation by itself: a second attempt would be another operation, of which
 * a history knew nothing. Thread-safe.
 */
public final class Clients implements AutoCloseable {
  /** No operation takes longer, unless the client breaks its own limits. */
  static final long OPERATION_MILLIS_MAX = 5_000;

  /** Short, so that few threads wait for a node that is paused while the others go on. */
  private static final int ANSWER_MILLIS_MAX = 600;

  /** Long, so that a write that is late still counts. */
  private static final int PROBE_MILLIS_MAX = 2_000;

  private static final int CONNECT_MILLIS_MAX = 1_000;

  private final List<RoutedContainer> containers = new ArrayList<>();
  private final RoutedContainer probing;

  /** Connects to nodes. */
  public Clients(List<Place> places) {
    for (Place place : places) {
      containers.add(
          new RoutedContainer(
              builder(places, ANSWER_MILLIS_MAX)
                  .clientIntelligence(ClientIntelligence.HASH_DISTRIBUTION_AWARE)
                  .build()));
      containers.add(
          new RoutedContainer(
              builder(List.of(place), ANSWER_MILLIS_MAX)
                  .clientIntelligence(ClientIntelligence.BASIC)
                  .build()));
    }
    probing =
        new RoutedContainer(
            builder(places, PROBE_MILLIS_MAX)
                .clientIntelligence(ClientIntelligence.HASH_DISTRIBUTION_AWARE)
                .build());
  }

  private static ConfigurationBuilder builder(List<Place> places, int answerMillisMax) {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    places.forEach(place -> builder.addServer().host(place.host()).port(place.clientPort()));
    builder
        .marshaller(IdentityMarshaller.INSTANCE)
        .socketTimeout(answerMillisMax)
        .connectionTimeout(CONNECT_MILLIS_MAX)
        .maxRetries(0);
    return builder;
  }

  /** How many containers operations can go through. */
  int count() {
    return containers.size();
  }

  /** The container with an index from 0, taken round and round. */
  RoutedContainer container(int index) {
    return containers.get(index % containers.size());
  }

  /** The container for probes. */
  RoutedContainer probing() {
    return probing;
  }

  @Override
  public void close() {
    containers.forEach(RoutedContainer::close);
    probing.close();
  }
}
