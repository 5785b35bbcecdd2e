package dev.isogrid.examples;

import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.NearCacheConfig;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import java.util.Objects;

/** A client that keeps the entries that it reads, until another client changes them. */
public final class NearCache {
  private static final int READS = 1_000;

  private NearCache() {}

  private static RemoteCache<String, Integer> prices(RemoteCacheManager client) {
    return Objects.requireNonNull(client.getCache("default"), "no cache default");
  }

  /**
   * Runs the example.
   *
   * @param args the port of a server, or nothing for 11222
   */
  public static void main(String[] args) {
    int port = args.length == 0 ? 11222 : Integer.parseInt(args[0]);
    ClientConfig keeping =
        ClientConfig.builder()
            .addServer("127.0.0.1", port)
            .nearCache("default", NearCacheConfig.invalidated(10_000))
            .build();
    ClientConfig plain = ClientConfig.builder().addServer("127.0.0.1", port).build();
    try (RemoteCacheManager shop = new RemoteCacheManager(keeping);
        RemoteCacheManager office = new RemoteCacheManager(plain)) {
      RemoteCache<String, Integer> prices = prices(shop);
      prices(office).put("tea", 3);
      for (int i = 0; i < READS; i++) {
        prices.get("tea");
      }
      long near = prices.clientStatistics().nearHits();
      System.out.println("most reads asked no server: " + (near > READS / 2));

      prices(office).put("tea", 4);
      while (!Objects.equals(prices.get("tea"), 4)) {
        Thread.onSpinWait(); // for the server's event, which takes a moment
      }
      System.out.println("new price: " + prices.get("tea"));
    }
  }
}
