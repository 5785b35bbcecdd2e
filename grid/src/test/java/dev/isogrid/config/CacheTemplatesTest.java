package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.StorageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CacheTemplatesTest {
  @ParameterizedTest
  @EnumSource(CacheMode.class)
  void template_ofEachMode_countsAndKeepsBytes(CacheMode mode) {
    CacheConfig expected =
        CacheConfig.builder().mode(mode).storage(StorageType.OFF_HEAP).statistics(true).build();
    assertEquals(expected, CacheTemplates.template("org.infinispan." + mode));
    assertEquals(expected, CacheTemplates.template("dev.isogrid." + mode));
  }

  @Test
  void names_all_areTwiceTheModes() {
    assertEquals(2 * CacheMode.values().length, CacheTemplates.names().size());
    assertEquals("org.infinispan.LOCAL", CacheTemplates.names().getFirst());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "LOCAL", "org.infinispan.local", "org.infinispan.SCATTERED_SYNC"})
  void template_unknown_isRefusedWithTheKnownOnes(String name) {
    Refusal.expect(
        () -> CacheTemplates.template(name),
        "unknown cache template: name=" + name,
        "org.infinispan.DIST_ASYNC",
        "dev.isogrid.LOCAL");
  }
}
