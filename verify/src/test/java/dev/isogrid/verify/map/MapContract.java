package dev.isogrid.verify.map;

import com.google.common.collect.testing.AbstractTester;
import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import com.google.common.collect.testing.testers.MapEqualsTester;
import com.google.common.collect.testing.testers.MapHashCodeTester;
import com.google.common.collect.testing.testers.MapToStringTester;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import junit.framework.Test;
import junit.framework.TestSuite;
import org.junit.jupiter.api.DynamicTest;

/**
 * Guava's tests of a {@link ConcurrentMap}, for a cache: without null keys and values. A cache
 * equals only itself, so the tests of equality, hash code and text are left out.
 */
final class MapContract {
  private static final Set<Class<?>> NOT_OF_A_CACHE =
      Set.of(MapEqualsTester.class, MapHashCodeTester.class, MapToStringTester.class);

  /**
   * The tests with objects of unknown types. A cache of bytes refuses a key or value without a
   * marshaller, where a map would only not find it. So a forgotten marshaller does not look like a
   * missing entry.
   */
  static final Set<String> OF_UNKNOWN_TYPES =
      Set.of(
          "testContainsKey_wrongType",
          "testContainsEntryWithIncomparableKey",
          "testContainsEntryWithIncomparableValue",
          "testContains_wrongType",
          "testContainsAll_wrongType",
          "testGet_wrongType",
          "testGetOrDefault_wrongType",
          "testRemoveAll_containsWrongType",
          "testRemove_wrongType");

  /** The tests for sets of entries without additions: that of a cache supports them. */
  static final Set<String> OF_ENTRY_SETS_WITHOUT_ADD =
      Set.of(
          "testAdd_unsupportedNotPresent",
          "testAddAll_unsupportedNonePresent",
          "testAddAll_unsupportedSomePresent");

  /** The tests that don't apply to a cache of bytes, embedded or remote. */
  static final Set<String> OF_BYTES =
      Stream.of(OF_UNKNOWN_TYPES, OF_ENTRY_SETS_WITHOUT_ADD)
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  private MapContract() {}

  /**
   * The tests; each begins with a map that was cleared.
   *
   * @param leftOut names of methods
   */
  static List<DynamicTest> of(String name, ConcurrentMap<String, String> map, Set<String> leftOut) {
    TestSuite suite =
        ConcurrentMapTestSuiteBuilder.using(
                new TestStringMapGenerator() {
                  @Override
                  protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                    map.clear();
                    Map<String, String> all = new LinkedHashMap<>();
                    for (Map.Entry<String, String> entry : entries) {
                      all.put(entry.getKey(), entry.getValue());
                    }
                    map.putAll(all);
                    return map;
                  }
                })
            .named(name)
            .withFeatures(
                MapFeature.GENERAL_PURPOSE,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionSize.ANY)
            .createTestSuite();
    List<DynamicTest> tests = new ArrayList<>();
    collect(suite, leftOut, tests);
    return tests;
  }

  private static void collect(TestSuite suite, Set<String> leftOut, List<DynamicTest> tests) {
    for (Test test : Collections.list(suite.tests())) {
      if (test instanceof TestSuite inner) {
        collect(inner, leftOut, tests);
      } else if (test instanceof AbstractTester<?> one
          && !NOT_OF_A_CACHE.contains(one.getClass())
          && !leftOut.contains(one.getTestMethodName())) {
        String name = suite.getName().substring(suite.getName().lastIndexOf('.') + 1);
        tests.add(DynamicTest.dynamicTest(name + " " + one.getTestMethodName(), one::runBare));
      }
    }
  }
}
