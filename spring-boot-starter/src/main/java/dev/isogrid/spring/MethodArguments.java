package dev.isogrid.spring;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.SimpleKey;

/**
 * The arguments of a cached method as a key that all caches take. Spring makes a {@link SimpleKey}
 * of none or several arguments, which a cache of bytes cannot take apart; a list of them can be
 * stored everywhere.
 */
final class MethodArguments extends ObjectOutputStream {
  /** Comes before a list that is the only argument, since several arguments are a list as well. */
  private static final String ONE_LIST = "dev.isogrid.spring.list";

  private Object @Nullable [] arguments;

  private MethodArguments() throws IOException {
    super(OutputStream.nullOutputStream());
    enableReplaceObject(true);
  }

  /** The key to store by. */
  static Object key(Object key) {
    if (key instanceof List<?> argument) {
      return List.of(ONE_LIST, argument);
    }
    return key instanceof SimpleKey ? list(key) : key;
  }

  /** The one way to the arguments that Spring leaves open: they are what the key writes. */
  private static List<?> list(Object key) {
    try (MethodArguments arguments = new MethodArguments()) {
      arguments.writeObject(key);
      return Arrays.asList(arguments.arguments);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read the arguments of a key: " + key, e);
    }
  }

  @Override
  protected @Nullable Object replaceObject(@Nullable Object object) {
    if (arguments == null && object instanceof Object[] found) {
      arguments = found;
      return null;
    }
    return object;
  }
}
