package dev.isogrid.chaos.cluster;

import dev.isogrid.chaos.infinispan.InfinispanNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Infinispan's Hot Rod endpoint over its distributed cache, assembled from its libraries.
 *
 * @param classPath of a node
 * @param javaOptions the JVM options of a node, separated by blanks
 */
public record InfinispanProduct(String classPath, String javaOptions) implements Product {
  /** The product from the libraries of a built checkout. */
  public static InfinispanProduct of(Path checkout, String javaOptions) throws IOException {
    String own = System.getProperty("java.class.path").split(File.pathSeparator, 2)[0];
    try (Stream<Path> jars = Files.list(checkout.resolve("bench/infinispan/target/lib"))) {
      String libraries =
          jars.map(Path::toString).sorted().collect(Collectors.joining(File.pathSeparator));
      return new InfinispanProduct(own + File.pathSeparator + libraries, javaOptions);
    }
  }

  @Override
  public String label() {
    return "Infinispan";
  }

  @Override
  public String readyText() {
    return InfinispanNode.READY_TEXT;
  }

  @Override
  public boolean hasOwnHealthPort() {
    return true;
  }

  @Override
  public Map<String, String> environment() {
    return Map.of();
  }

  @Override
  public List<String> command(Place place, List<Place> seeds) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.stream(javaOptions.split(" ", -1)).filter(o -> !o.isEmpty()).toList());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            classPath,
            InfinispanNode.class.getName(),
            place.name(),
            place.host(),
            String.valueOf(place.clientPort()),
            String.valueOf(place.clusterPort()),
            String.valueOf(place.healthPort()),
            seeds.stream()
                .map(seed -> seed.host() + "[" + seed.clusterPort() + "]")
                .collect(Collectors.joining(","))));
    return command;
  }
}
