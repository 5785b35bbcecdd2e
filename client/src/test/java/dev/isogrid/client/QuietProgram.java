package dev.isogrid.client;

import java.util.List;
import java.util.Objects;

/** A plain program, to be run by a JVM without any options. */
final class QuietProgram {
  record Order(String customer, List<String> items) {}

  private QuietProgram() {}

  public static void main(String[] arguments) {
    ClientConfig config =
        ClientConfig.builder()
            .uri("hotrod://127.0.0.1:" + arguments[0])
            .operationTimeoutMillis(20_000) // other processes may have the processors
            .build();
    try (RemoteCacheManager manager = new RemoteCacheManager(config)) {
      RemoteCache<String, Order> cache = Objects.requireNonNull(manager.getCache("default"));
      Order order = new Order("ann", List.of("novel"));
      cache.put("o", order);
      if (!order.equals(cache.get("o"))) {
        throw new IllegalStateException("another order");
      }
      System.out.println("done");
    }
  }
}
