package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** A class path without the library that values are compressed with. */
class MissingLibraryTest {
  private static URLClassLoader withoutLibrary() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!entry.contains("zstd-jni")) {
        urls.add(new File(entry).toURI().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  @Test
  void open_withoutTheLibrary_isRefusedInWords() throws Exception {
    try (URLClassLoader loader = withoutLibrary()) {
      Class<?> compressors = loader.loadClass(Compressors.class.getName());
      Method open = compressors.getMethod("open", Executor.class);
      Executor trainer = Runnable::run;

      InvocationTargetException failure =
          assertThrows(InvocationTargetException.class, () -> open.invoke(null, trainer));

      Throwable refusal = Objects.requireNonNull(failure.getCause());
      assertEquals("InvalidRequestException", refusal.getClass().getSimpleName());
      String message = String.valueOf(refusal.getMessage());
      assertTrue(message.startsWith("values can't be compressed on this node"), message);
      assertTrue(message.contains("com.github.luben:zstd-jni"), message);
    }
  }

  @Test
  void containers_withoutTheLibrary_areMadeIfNothingIsCompressed() throws Exception {
    try (URLClassLoader loader = withoutLibrary()) {
      Class<?> container = loader.loadClass(Container.class.getName());
      Class<?> clock = loader.loadClass("dev.isogrid.base.EpochClock");
      Class<?> occupancy = loader.loadClass(Occupancy.class.getName());
      Method ofBinary = container.getMethod("ofBinary", int.class, int.class, clock, occupancy);

      Object made =
          ofBinary.invoke(
              null, 4, 1, null, occupancy.getConstructor(boolean.class).newInstance(true));

      assertEquals(4, container.getMethod("segmentCount").invoke(made));
      assertNotNull(container.getMethod("newView").invoke(made));
    }
  }
}
