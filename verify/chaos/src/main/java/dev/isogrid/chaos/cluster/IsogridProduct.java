package dev.isogrid.chaos.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * This product's server, by its launcher.
 *
 * @param launcher the command of the checkout
 * @param javaOptions the JVM options of a node
 * @param config the configuration of caches, or null for the usual one
 */
public record IsogridProduct(Path launcher, String javaOptions, @Nullable Path config)
    implements Product {
  /**
   * Writes a configuration whose caches have a copy of each entry on several nodes: those that a
   * server has by default, since a lost segment of any of them makes its health DEGRADED.
   *
   * @param file replaced if it exists
   */
  public static Path config(Path file, int owners) throws IOException {
    return Files.writeString(
        file,
        """
        <infinispan>
          <cache-container>
            <distributed-cache name="default" owners="%1$d"/>
            <distributed-cache name="memcachedCache" owners="%1$d"/>
          </cache-container>
        </infinispan>
        """
            .formatted(owners));
  }

  @Override
  public String label() {
    return "Isogrid";
  }

  @Override
  public String readyText() {
    return " ready on ";
  }

  @Override
  public boolean hasOwnHealthPort() {
    return false;
  }

  @Override
  public Map<String, String> environment() {
    return Map.of("ISOGRID_JAVA_OPTS", javaOptions, "JAVA_HOME", System.getProperty("java.home"));
  }

  @Override
  public List<String> command(Place place, List<Place> seeds) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(launcher.toString(), "server", "--bind", place.host()));
    command.addAll(List.of("--port", String.valueOf(place.clientPort())));
    command.addAll(List.of("--memcached-port", "0", "--node-name", place.name()));
    if (config != null) {
      command.addAll(List.of("--config", config.toString()));
    }
    if (seeds.size() > 1) {
      command.addAll(List.of("--cluster-bind", place.host()));
      command.addAll(List.of("--cluster-port", String.valueOf(place.clusterPort())));
      command.addAll(
          List.of("--join", seeds.stream().map(Place::seed).collect(Collectors.joining(","))));
      command.add("--cluster-insecure"); // the hosts may be namespaces, which nobody else reaches
    }
    return command;
  }
}
