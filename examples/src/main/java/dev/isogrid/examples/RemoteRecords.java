package dev.isogrid.examples;

import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.client.StringConfiguration;
import java.time.LocalDate;
import java.util.List;

/** Records in a server, by the Hot Rod client: no schema, no annotation, no generator. */
public final class RemoteRecords {
  record Item(String name, int pieces) {}

  record Order(String customer, LocalDate day, List<Item> items) {}

  /** The encoding lets other clients see the entries too, REST as JSON. */
  private static final String PROTOSTREAM =
      """
      {"distributed-cache": {"encoding": {"media-type": "application/x-protostream"}}}
      """;

  private RemoteRecords() {}

  /**
   * Runs the example.
   *
   * @param args the port of a server, or nothing for 11222
   */
  public static void main(String[] args) {
    int port = args.length == 0 ? 11222 : Integer.parseInt(args[0]);
    try (RemoteCacheManager manager =
        new RemoteCacheManager(ClientConfig.builder().addServer("127.0.0.1", port).build())) {
      RemoteCache<String, Order> orders =
          manager.administration().getOrCreateCache("orders", new StringConfiguration(PROTOSTREAM));
      orders.put("o-1", new Order("Ada", LocalDate.of(2026, 11, 23), List.of(new Item("book", 2))));
      System.out.println(orders.get("o-1"));
    }
  }
}
