package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesTest {
  @ParameterizedTest
  @CsvSource({
    "max-size, max-size",
    "maxSize, max-size",
    "max_size, max-size",
    "MaxSize, max-size",
    "l1Lifespan, l1-lifespan",
    "max-Size, max-size",
    "server:maxSize, max-size",
    "owners, owners",
    "'', ''",
  })
  void kebab_anySpelling_isTheSame(String written, String name) {
    assertEquals(name, Names.kebab(written));
  }

  @ParameterizedTest
  @CsvSource({"max-size, maxSize", "l1-lifespan, l1Lifespan", "owners, owners", "a-, a"})
  void camel_kebab_hasNoDashes(String name, String camel) {
    assertEquals(camel, Names.camel(name));
  }
}
