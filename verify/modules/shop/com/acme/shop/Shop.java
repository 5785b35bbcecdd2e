package com.acme.shop;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import java.util.List;

/** Two members of a cluster, with records in a cache off the heap. Arguments: two ports. */
public class Shop {
  record Item(String name, int cents) {}

  record Order(String customer, List<Item> items) {}

  private static Grid start(String name, String port, String seed) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindAddress("127.0.0.1")
            .bindPort(Integer.parseInt(port))
            .seeds(List.of("127.0.0.1:" + seed))
            .found(port.equals(seed))
            .build();
    return Grid.start(
        GridConfig.builder()
            .nodeName(name)
            .offHeapMax(64L << 20)
            .allowedPackages(List.of("com.acme.shop"))
            .cluster(cluster)
            .build());
  }

  private static Cache<Integer, Order> orders(Grid grid) {
    return grid.cache(
        "orders",
        CacheConfig.builder().mode(CacheMode.DIST_SYNC).storage(StorageType.OFF_HEAP).build());
  }

  /** Prints an order that the other member put, and a sum over all. */
  public static void main(String[] args) {
    try (Grid one = start("one", args[0], args[0]);
        Grid two = start("two", args[1], args[0])) {
      for (int i = 0; i < 20; i++) {
        orders(one).put(i, new Order("Ada", List.of(new Item("tea", i))));
      }
      System.out.println(orders(two).get(7));
      int cents =
          orders(two).values().stream()
              .filter(order -> order.customer().equals("Ada"))
              .mapToInt(order -> order.items().get(0).cents())
              .sum();
      System.out.println("cents: " + cents);
      System.out.println("module: " + one.getClass().getModule().getName());
    }
  }
}
