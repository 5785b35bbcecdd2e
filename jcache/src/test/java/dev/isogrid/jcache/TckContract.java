package dev.isogrid.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsr107.tck.CacheTest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/**
 * The TCK of JCache 1.1.1, all of it, over the default URI: each of its tests, which are of JUnit
 * 4, is a test here. Its tests of annotations run only where a container of beans is on the class
 * path, by its own rule; there is none here, so they are left out.
 */
abstract class TckContract {
  private static final String ANNOTATIONS = "org.jsr107.tck.annotation.";

  /** How many tests the TCK has, without those of annotations. */
  private static final int TESTS = 481;

  @BeforeAll
  static void tellTheTckAboutThisMachineAndTheseTypes() {
    System.setProperty("org.jsr107.tck.support.server.address", "127.0.0.1");
    System.setProperty("javax.cache.CacheManager", CacheRegistry.class.getName());
    System.setProperty("javax.cache.Cache", JCache.class.getName());
    System.setProperty("javax.cache.Cache.Entry", WrittenEntry.class.getName());
  }

  @TestFactory
  Stream<DynamicContainer> tck() throws Exception {
    return classes().stream()
        .map(type ->
            DynamicContainer.dynamicContainer(
                type.getName(), tests(type).map(TckContract::dynamicTest)));
  }

  @Test
  void classes_ofTheTck_haveAllItsTests() throws Exception {
    assertEquals(TESTS, classes().stream().mapToLong(type -> tests(type).count()).sum());
  }

  private static Stream<Description> tests(Class<?> type) {
    return leaves(Request.aClass(type).getRunner().getDescription());
  }

  private static Stream<Description> leaves(Description description) {
    return description.isTest()
        ? Stream.of(description)
        : description.getChildren().stream().flatMap(TckContract::leaves);
  }

  private static DynamicTest dynamicTest(Description test) {
    return DynamicTest.dynamicTest(test.getMethodName(), () -> run(test));
  }

  private static void run(Description test) {
    Result result = new JUnitCore().run(Request.aClass(test.getTestClass()).filterWith(test));
    assertTrue(
        result.wasSuccessful(),
        () -> result.getFailures().stream().map(Failure::getTrace).collect(Collectors.joining()));
    assertEquals(1, result.getRunCount() + result.getIgnoreCount(), test::getDisplayName);
  }

  private static List<Class<?>> classes()
      throws IOException, URISyntaxException, ClassNotFoundException {
    File jar =
        new File(CacheTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Class<?>> found = new ArrayList<>();
    try (JarFile file = new JarFile(jar)) {
      for (String path :
          file.stream().map(Object::toString).filter(TckContract::isTest).sorted().toList()) {
        found.add(Class.forName(path.replace(".class", "").replace('/', '.')));
      }
    }
    return found;
  }

  private static boolean isTest(String path) {
    return path.matches(".*Test1?\\.class")
        && !path.contains("/Abstract")
        && !path.replace('/', '.').startsWith(ANNOTATIONS);
  }
}
