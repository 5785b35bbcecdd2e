package dev.isogrid.verify.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Grid;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.pooled.ConnectionPools;
import dev.isogrid.node.Node;
import dev.isogrid.server.Server;
import dev.isogrid.testkit.Children;
import dev.isogrid.testkit.FreePorts;
import dev.isogrid.testkit.ProcessOutput;
import dev.isogrid.types.ObjectMarshaller;
import dev.isogrid.verify.Project;
import dev.isogrid.wire.Versions;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles programs that have a module-info, and runs each in a process of its own that has only
 * the libraries and their dependencies, on the module path. Their sources are in {@code
 * verify/modules}.
 */
class ModulePathTest {
  /** A class of each library with a module-info, by the name of its module. */
  private static final Map<String, Class<?>> MODULES =
      Map.of(
          "dev.isogrid.api", Grid.class,
          "dev.isogrid.wire", Versions.class,
          "dev.isogrid.types", ObjectMarshaller.class,
          "dev.isogrid.client", RemoteCache.class,
          "dev.isogrid.client.pooled", ConnectionPools.class,
          "dev.isogrid.grid", Node.class);

  /** The packages that every program may use. */
  private static final Map<String, Set<String>> EXPORTED =
      Map.of(
          "dev.isogrid.api", Set.of("dev.isogrid.api", "dev.isogrid.api.function"),
          "dev.isogrid.wire", Set.of(),
          "dev.isogrid.types", Set.of("dev.isogrid.types"),
          "dev.isogrid.client", Set.of("dev.isogrid.client"),
          "dev.isogrid.client.pooled", Set.of(),
          "dev.isogrid.grid", Set.of());

  /** Jars that the libraries need. */
  private static final Pattern NEEDED =
      Pattern.compile(
          ".*/(jspecify|jgroups|netty-[a-z-]+|protostream|protostream-types|jboss-logging"
              + "|jackson-core|snakeyaml-engine)-[0-9][^/]*\\.jar");

  /** Jars that the server needs beyond that. */
  private static final Pattern NEEDED_BY_SERVER =
      Pattern.compile(
          ".*/(picocli|micrometer-[a-z-]+|prometheus-[a-z-]+|HdrHistogram|LatencyUtils"
              + "|logback-[a-z]+|slf4j-[a-z-]+|jul-to-slf4j)-[0-9][^/]*\\.jar");

  private static final Pattern JAR = Pattern.compile("jar:(file:.*\\.jar)!/.*");
  private static final Pattern READY = Pattern.compile(" ready on [^ ]*:(\\d+)");
  private static final long LIMIT_SECONDS = 240;

  @TempDir private Path folder;

  private static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The jars of this JVM's class path with such names; each has a manifest. */
  private static Stream<String> jars(Pattern names) {
    ClassLoader loader = ModulePathTest.class.getClassLoader();
    return loader
        .resources("META-INF/MANIFEST.MF")
        .map(manifest -> JAR.matcher(manifest.toString()))
        .filter(Matcher::matches)
        .map(jar -> Path.of(URI.create(jar.group(1))).toString())
        .filter(jar -> names.matcher(jar).matches())
        .distinct();
  }

  private static String libraries() {
    return Stream.concat(
            MODULES.values().stream().map(type -> location(type).toString()), jars(NEEDED))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static ModuleDescriptor descriptor(Class<?> type) {
    return ModuleFinder.of(location(type)).findAll().iterator().next().descriptor();
  }

  @Test
  void libraries_areNamedModules_thatExportTheirApiOnly() {
    MODULES.forEach((name, type) -> {
      ModuleDescriptor module = descriptor(type);
      assertEquals(name, module.name());
      assertFalse(module.isAutomatic(), name);
      assertEquals(
          EXPORTED.get(name),
          module.exports().stream()
              .filter(exported -> !exported.isQualified())
              .map(ModuleDescriptor.Exports::source)
              .collect(Collectors.toSet()),
          name);
    });
  }

  @Test
  void embeddedGrids_onTheModulePath_formACluster() throws Exception {
    List<Integer> ports = FreePorts.several(2);
    assertEquals(
        List.of(
            "Order[customer=Ada, items=[Item[name=tea, cents=7]]]",
            "cents: 190",
            "module: dev.isogrid.grid"),
        run("com.acme.shop", "Shop", ports));
  }

  @Test
  void clients_onTheModulePath_useAServerOnTheModulePath() throws Exception {
    Process server = startServer();
    try {
      String port = ProcessOutput.await(server, READY).match().group(1);
      assertEquals(
          List.of("Visit[customer=Grace, minutes=20]", "module: dev.isogrid.client"),
          run("com.acme.clerk", "Clerk", List.of(Integer.parseInt(port))));
    } finally {
      server.destroy();
      if (!server.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        server.destroyForcibly();
      }
    }
  }

  /** Its configuration is in YAML. Its jar has only a name, so other modules have to be named. */
  private Process startServer() throws IOException {
    Path config = folder.resolve("server.yaml");
    Files.writeString(
        config,
        """
        infinispan:
          cacheContainer:
            caches:
              visits:
                distributedCache:
                  encoding:
                    mediaType: application/x-protostream
        """);
    List<String> path = new ArrayList<>(List.of(serverJar().toString(), libraries()));
    jars(NEEDED_BY_SERVER).forEach(path::add);
    List<String> command = new ArrayList<>(java(String.join(File.pathSeparator, path)));
    command.addAll(List.of("--add-modules", "ALL-MODULE-PATH"));
    command.addAll(List.of("-m", "dev.isogrid.server/dev.isogrid.server.Main"));
    command.addAll(List.of("--bind", "127.0.0.1", "--port", "0", "--memcached-port", "0"));
    command.addAll(List.of("--no-cluster", "--config", config.toString()));
    return Children.start(
        new ProcessBuilder(command).redirectError(folder.resolve("server.log").toFile()));
  }

  /** Makes the server's jar: class folders have no name. */
  private Path serverJar() throws IOException {
    Path classes = location(Server.class);
    if (Files.isRegularFile(classes)) {
      return classes;
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Automatic-Module-Name", "dev.isogrid.server");
    Path jar = folder.resolve("server.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(
            new JarEntry(classes.relativize(file).toString().replace(File.separatorChar, '/')));
        Files.copy(file, out);
      }
    }
    return jar;
  }

  @Test
  void packagesThatAreNotExported_areRefusedByTheCompiler() throws IOException {
    assertRefused("dev.isogrid.grid", "dev.isogrid.node", "Node");
    assertRefused("dev.isogrid.client", "dev.isogrid.client.spi", "LinkPool");
    assertRefused("dev.isogrid.client", "dev.isogrid.wire", "Versions");
  }

  private void assertRefused(String module, String inside, String type) throws IOException {
    Path sources = Files.createTempDirectory(folder, "refused");
    Files.writeString(
        sources.resolve("module-info.java"),
        "module com.acme.refused { requires %s; requires dev.isogrid.wire; }".formatted(module));
    Files.createDirectories(sources.resolve("com/acme"));
    Files.writeString(
        sources.resolve("com/acme/Reach.java"),
        "package com.acme; class Reach { %s.%s it; }".formatted(inside, type));
    String problems = compile(sources, folder.resolve("refused"));
    assertTrue(problems.contains("package %s is not visible".formatted(inside)), problems);
  }

  private List<String> run(String module, String program, List<Integer> arguments)
      throws Exception {
    Path sources =
        Project.root().resolve("verify/modules").resolve(module.replace("com.acme.", ""));
    Path classes = folder.resolve(module);
    assertEquals("", compile(sources, classes));

    List<String> command = new ArrayList<>(java(classes + File.pathSeparator + libraries()));
    command.addAll(List.of("-m", module + "/" + module + "." + program));
    arguments.forEach(argument -> command.add(argument.toString()));
    Path output = folder.resolve("output");
    Path log = folder.resolve("log");
    Process process =
        Children.start(
            new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(log.toFile()));
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(
          "still running after %d s: %s".formatted(LIMIT_SECONDS, Files.readString(log)));
    }
    assertEquals(0, process.exitValue(), Files.readString(log));
    return Files.readAllLines(output);
  }

  private static List<String> java(String modulePath) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx200m",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "--module-path",
        modulePath);
  }

  /** Compiles a module; returns the compiler's complaints. */
  private static String compile(Path sources, Path classes) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "--module-path", libraries()));
    arguments.addAll(List.of("-d", classes.toString()));
    try (Stream<Path> files = Files.walk(sources)) {
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
    }
    ByteArrayOutputStream problems = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, problems, arguments.toArray(String[]::new));
    String text = problems.toString(StandardCharsets.UTF_8);
    assertNotEquals(status == 0, !text.isEmpty(), text);
    return text;
  }
}
