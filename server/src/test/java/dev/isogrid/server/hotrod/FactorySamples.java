package dev.isogrid.server.hotrod;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheEventConverter;
import dev.isogrid.api.CacheEventConverterFactory;
import dev.isogrid.api.CacheEventFilter;
import dev.isogrid.api.CacheEventFilterConverter;
import dev.isogrid.api.CacheEventFilterConverterFactory;
import dev.isogrid.api.CacheEventFilterFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.jspecify.annotations.Nullable;

/** Factories of listeners that a test deploys. */
public final class FactorySamples {
  private FactorySamples() {}

  /** Passes events whose value has a prefix, and events without a value. */
  public static final class ByPrefix implements CacheEventFilterFactory {
    @Override
    public String name() {
      return "by-prefix";
    }

    @Override
    public CacheEventFilter<String, String> newFilter(List<Object> parameters) {
      String prefix = (String) parameters.getFirst();
      return event -> event.value() == null || event.value().startsWith(prefix);
    }
  }

  /** As {@link ByPrefix}, by bytes of the key. */
  public static final class ByKeyBytes implements CacheEventFilterFactory {
    @Override
    public String name() {
      return "by-key-bytes";
    }

    @Override
    public CacheEventFilter<byte[], byte[]> newFilter(List<Object> parameters) {
      byte[] wanted = (byte[]) parameters.getFirst();
      return event -> Arrays.equals(event.key(), wanted);
    }
  }

  /** Describes an event in words. */
  public static final class InWords implements CacheEventConverterFactory {
    @Override
    public String name() {
      return "in-words";
    }

    @Override
    public CacheEventConverter<Object, Object> newConverter(List<Object> parameters) {
      return event ->
          "%s %s: %s to %s %s"
              .formatted(event.kind(), event.key(), event.oldValue(), event.value(), parameters);
    }
  }

  /** Makes a map of an event, nothing, or fails, depending on the value. */
  public static final class AsMap implements CacheEventConverterFactory {
    @Override
    public String name() {
      return "as-map";
    }

    @Override
    public CacheEventConverter<String, String> newConverter(List<Object> parameters) {
      return AsMap::map;
    }

    private static @Nullable Object map(CacheEvent<String, String> event) {
      if ("fail".equals(event.value())) {
        throw new IllegalStateException("asked to fail");
      }
      if ("nothing".equals(event.value())) {
        return null;
      }
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("key", event.key());
      map.put("length", String.valueOf(event.value()).length());
      return map;
    }
  }

  /** Returns the length of long values only. */
  public static final class LongOnes implements CacheEventFilterConverterFactory {
    @Override
    public String name() {
      return "long-ones";
    }

    @Override
    public CacheEventFilterConverter<String, String> newFilterConverter(List<Object> parameters) {
      int least = Integer.parseInt((String) parameters.getFirst());
      return event ->
          event.value() == null || event.value().length() < least
              ? null
              : String.valueOf(event.value().length());
    }
  }

  /** Returns bytes for bytes. */
  public static final class RawBytes implements CacheEventConverterFactory {
    @Override
    public String name() {
      return "raw-bytes";
    }

    @Override
    public CacheEventConverter<byte[], byte[]> newConverter(List<Object> parameters) {
      byte[] suffix = (byte[]) parameters.getFirst();
      return event -> {
        byte[] made = Arrays.copyOf(event.key(), event.key().length + suffix.length);
        System.arraycopy(suffix, 0, made, event.key().length, suffix.length);
        return made;
      };
    }
  }

  /** Makes no converter. */
  public static final class Broken implements CacheEventConverterFactory {
    @Override
    public String name() {
      return "broken";
    }

    @Override
    public CacheEventConverter<String, String> newConverter(List<Object> parameters) {
      throw new IllegalArgumentException("no converter today");
    }
  }

  /** Makes a folder of tasks with all of them. */
  static Path deploy(Path parent) {
    try {
      Path tasks = Files.createDirectories(parent.resolve("tasks"));
      try (JarOutputStream jar =
          new JarOutputStream(Files.newOutputStream(tasks.resolve("factories.jar")))) {
        add(jar, CacheEventFilterFactory.class, ByPrefix.class, ByKeyBytes.class);
        add(
            jar,
            CacheEventConverterFactory.class,
            InWords.class,
            AsMap.class,
            RawBytes.class,
            Broken.class);
        add(jar, CacheEventFilterConverterFactory.class, LongOnes.class);
      }
      return tasks;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void add(JarOutputStream jar, Class<?> service, Class<?>... providers)
      throws IOException {
    jar.putNextEntry(new JarEntry("META-INF/services/" + service.getName()));
    for (Class<?> provider : providers) {
      jar.write((provider.getName() + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
