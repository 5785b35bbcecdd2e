package dev.isogrid.verify.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.isogrid.api.Grid;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.pooled.ConnectionPools;
import dev.isogrid.client.spi.LinkPool;
import dev.isogrid.jcache.IsogridCachingProvider;
import dev.isogrid.jdbc.JdbcStore;
import dev.isogrid.micrometer.GridMetrics;
import dev.isogrid.verify.Project;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares the public API with its last approved dump. */
public class ApiDumpTest {
  private static final String UPDATE =
      "mvn verify -pl :isogrid-verify -am -Dtest=ApiDumpTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dapi.update=true";

  @Test
  void api_comparedWithItsDump_isTheSame() throws IOException {
    check("api/isogrid-api.api", modulesClasses(Grid.class));
  }

  @Test
  void client_comparedWithItsDump_isTheSame() throws IOException {
    check("client/isogrid-client.api", modulesClasses(RemoteCache.class));
  }

  @Test
  void packagesThatAreNotExported_areNoApi() {
    assertEquals(List.of(), modulesClasses(ConnectionPools.class));
    assertFalse(modulesClasses(RemoteCache.class).contains(LinkPool.class));
  }

  @Test
  void micrometer_comparedWithItsDump_isTheSame() throws IOException {
    check("micrometer/isogrid-micrometer.api", modulesClasses(GridMetrics.class));
  }

  @Test
  void jcache_comparedWithItsDump_isTheSame() throws IOException {
    check("jcache/isogrid-jcache.api", modulesClasses(IsogridCachingProvider.class));
  }

  @Test
  void jdbc_comparedWithItsDump_isTheSame() throws IOException {
    check("jdbc/isogrid-jdbc.api", modulesClasses(JdbcStore.class));
  }

  private static void check(String path, List<Class<?>> classes) throws IOException {
    Path file = Project.root().resolve(path);
    String api = ApiDump.of(classes);
    if (Boolean.getBoolean("api.update")) {
      Files.writeString(file, api);
    }
    String agreed = Files.exists(file) ? Files.readString(file) : "";

    assertEquals(
        "",
        difference(agreed, api),
        "the public types differ from "
            + path
            + "; if that is meant, write a line into the CHANGELOG and run: "
            + UPDATE
            + "\n");
    assertEquals(agreed, api, "the order differs; run: " + UPDATE);
  }

  @Test
  void dump_ofSample_showsWhatUsersSee() {
    assertEquals(
        """
        public interface ApiDumpTest$Sample<K> extends AutoCloseable {
          int SIZE
          void close()
          @Deprecated @Nullable String get(K) throws java.io.IOException
          default void put(List<? extends K>)
        }

        public record ApiDumpTest$Sample$Part(@Nullable String text, int size) {
          public <init>(@Nullable String, int)
          public boolean isEmpty()
        }
        """,
        ApiDump.of(List.of(Sample.Part.class, Sample.class, Hidden.class)));
  }

  @Test
  void difference_ofTwoDumps_namesTheLines() {
    assertEquals("- b\n+ d", difference("a\nb\nc\n", "a\nc\nd\n"));
  }

  private static String difference(String agreed, String api) {
    List<String> before = agreed.lines().toList();
    List<String> after = api.lines().toList();
    return Stream.concat(
            before.stream().filter(line -> !after.contains(line)).map(line -> "- " + line),
            after.stream().filter(line -> !before.contains(line)).map(line -> "+ " + line))
        .collect(Collectors.joining("\n"));
  }

  /** The classes of a type's package and those below it, as far as its module exports them. */
  private static List<Class<?>> modulesClasses(Class<?> one) {
    Path module = location(one);
    List<Class<?>> found =
        new ClassFileImporter()
            .importPackages(one.getPackageName()).stream()
                .<Class<?>>map(JavaClass::reflect)
                .filter(each -> location(each).equals(module))
                .toList();
    assertFalse(found.isEmpty(), "no classes found");
    Optional<ModuleDescriptor> descriptor =
        ModuleFinder.of(module).findAll().stream().map(ModuleReference::descriptor).findFirst();
    return found.stream()
        .filter(each -> descriptor.isEmpty() || exports(descriptor.get(), each.getPackageName()))
        .toList();
  }

  /** Whether all programs see a package; a module with nothing but a name exports them all. */
  private static boolean exports(ModuleDescriptor module, String name) {
    return module.isAutomatic()
        || module.exports().stream()
            .anyMatch(exported -> !exported.isQualified() && exported.source().equals(name));
  }

  private static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Something to dump. */
  public interface Sample<K> extends AutoCloseable {
    /** A constant. */
    int SIZE = 1;

    /** A method that is going away. */
    @Deprecated
    @Nullable String get(K key) throws IOException;

    /** A method with a body. */
    default void put(List<? extends K> keys) {}

    @Override
    void close();

    /** A type within. */
    record Part(@Nullable String text, int size) {
      boolean isInternal() {
        return true;
      }

      /** A method beyond the accessors. */
      public boolean isEmpty() {
        return size == 0;
      }
    }
  }

  interface Hidden {}
}
