package dev.isogrid.examples;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.types.ObjectMarshaller;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;

/**
 * A record gets another component while a node with its former version runs. Each node has its
 * version of the class in a class loader of its own here; in production each is a process.
 */
public final class RecordEvolution {
  private static final String FORMER =
      """
      package shop;
      public record Order(String id, int cents) {}
      """;

  private static final String LATTER =
      """
      package shop;
      public record Order(String id, String country, long cents) {
        static Order defaults() {
          return new Order(null, "DE", 0);
        }
      }
      """;

  private RecordEvolution() {}

  /**
   * Runs the example.
   *
   * @param args the ports of two nodes, or nothing
   */
  public static void main(String[] args) throws Exception {
    int port = args.length == 2 ? Integer.parseInt(args[0]) : 7800;
    int otherPort = args.length == 2 ? Integer.parseInt(args[1]) : 7801;
    Class<?> former = compiled(FORMER);
    Class<?> latter = compiled(LATTER);
    try (Grid running = start("running", former, port, List.of())) {
      Cache<String, Object> orders =
          running.cache("orders", CacheConfig.builder().mode(CacheMode.DIST_SYNC).build());
      orders.put("o-1", former.getConstructors()[0].newInstance("o-1", 4200));
      try (Grid upgraded = start("upgraded", latter, otherPort, List.of("127.0.0.1:" + port))) {
        Cache<String, Object> same = upgraded.cache("orders");
        System.out.println("upgraded node: " + same.get("o-1"));
        same.put("o-2", latter.getConstructors()[0].newInstance("o-2", "FR", 1700L));
        System.out.println("running node: " + orders.get("o-2"));
      }
    }
  }

  private static Grid start(String name, Class<?> version, int port, List<String> seeds) {
    return Grid.start(
        GridConfig.builder()
            .nodeName(name)
            .marshaller(new ObjectMarshaller(version.getClassLoader()))
            .cluster(ClusterConfig.builder().bindPort(port).seeds(seeds).build())
            .build());
  }

  private static Class<?> compiled(String source) throws Exception {
    Path folder = Files.createTempDirectory("order");
    Path file = Files.writeString(folder.resolve("Order.java"), source);
    int problems =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", folder.toString(), file.toString());
    if (problems != 0) {
      throw new IllegalStateException("record not compiled: file=" + file);
    }
    return new URLClassLoader(new URL[] {folder.toUri().toURL()}).loadClass("shop.Order");
  }
}
