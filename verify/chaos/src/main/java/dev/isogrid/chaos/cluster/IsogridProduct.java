package dev.isogrid.chaos.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * This product's server, by its launcher.
 *
 * @param launcher the command of the checkout
 * @param javaOptions what the JVM of a node gets
 */
public record IsogridProduct(Path launcher, String javaOptions) implements Product {
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
    return List.of(
        launcher.toString(),
        "server",
        "--bind",
        place.host(),
        "--port",
        String.valueOf(place.clientPort()),
        "--memcached-port",
        "0",
        "--node-name",
        place.name(),
        "--cluster-bind",
        place.host(),
        "--cluster-port",
        String.valueOf(place.clusterPort()),
        "--join",
        seeds.stream().map(Place::seed).collect(Collectors.joining(",")));
  }
}
