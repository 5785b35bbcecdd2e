package dev.isogrid.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Documents in JSON that have much in common, and a dictionary for them. */
final class JsonValues {
  /** Trains where it is asked to. */
  static final Compressors COMPRESSORS = Compressors.open(Runnable::run);

  private static final List<String> CITIES = List.of("Berlin", "Somewhere", "Paris", "Oslo");

  /** The first dictionary of a container. */
  static final ValueDictionary DICTIONARY = dictionary(0, 1);

  private JsonValues() {}

  /** A dictionary that is made of values of a seed. */
  static ValueDictionary dictionary(int number, long seed) {
    Random random = new Random(seed);
    return ValueDictionary.train(number, Stream.generate(() -> json(random)).limit(2_000).toList());
  }

  /** A document of about 150 bytes. */
  static byte[] json(Random random) {
    return """
    {"id":%d,"name":"somebody %x","city":"%s","text":"%x","active":%b,"score":%d.5,\
    "tags":["one","two"],"address":{"street":"Long Road","number":%d}}\
    """
        .formatted(
            random.nextInt(1 << 20),
            random.nextInt(),
            CITIES.get(random.nextInt(CITIES.size())),
            random.nextLong(),
            random.nextBoolean(),
            random.nextInt(100),
            random.nextInt(200))
        .getBytes(StandardCharsets.UTF_8);
  }
}
