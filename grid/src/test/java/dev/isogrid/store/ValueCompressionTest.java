package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.FakeEnv;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueCompressionTest {
  /** Few, so that a judgement comes soon: of 128 values, since every 64th is looked at. */
  private static final int LOOKS_MAX = 2;

  private final List<Runnable> trainings = new ArrayList<>();
  private final Compressors compressors = Compressors.open(trainings::add);
  private final ValueCompression compression = new ValueCompression(compressors, LOOKS_MAX);
  private final EntryLayout.Header header = new EntryLayout.Header();
  private final Random random = new Random(3);

  @AfterEach
  void close() {
    compressors.close();
  }

  private Bytes stored(byte[] value) {
    header.isCompressed = false;
    return compression.stored(Bytes.of(value), null, header);
  }

  private byte[] expanded(Bytes stored) {
    byte[] form = stored.toByteArray();
    byte[] plain = new byte[ValueCompression.lengthBefore(form, 0)];
    compression.expand(form, 0, form.length, plain);
    return plain;
  }

  private byte[] noise(int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    return noise;
  }

  private void storeUntilTraining() {
    for (int i = 0; trainings.isEmpty(); i++) {
      assertTrue(i <= ValueCompression.SAMPLE_BYTES / 100, "no training");
      Bytes _ = stored(JsonValues.json(random));
    }
  }

  private void train() {
    trainings.removeFirst().run();
  }

  @Test
  void stored_beforeTheFirstDictionary_staysAsItIs() {
    byte[] value = JsonValues.json(random);

    assertArrayEquals(value, stored(value).toByteArray());
    assertFalse(header.isCompressed);
    assertEquals(0, compression.dictionaryBytes());
  }

  @Test
  void stored_whenNoThreadCanTrain_staysAsItIsAndIsCollectedAgain() {
    Executor[] trainer = {
      _ -> {
        throw new RejectedExecutionException("closing");
      }
    };
    try (Compressors closing = Compressors.open(task -> trainer[0].execute(task))) {
      ValueCompression refused = new ValueCompression(closing, LOOKS_MAX);
      for (long sum = 0; sum < ValueCompression.SAMPLE_BYTES; ) {
        byte[] value = JsonValues.json(random);
        assertArrayEquals(value, refused.stored(Bytes.of(value), null, header).toByteArray());
        sum += value.length;
      }

      trainer[0] = trainings::add;
      int stored = 0;
      while (trainings.isEmpty() && stored < 100_000) {
        Bytes _ = refused.stored(Bytes.of(JsonValues.json(random)), null, header);
        stored++;
      }
      assertEquals(1, trainings.size());
    }
  }

  @Test
  void stored_afterTheTraining_isSmallerAndExpandsToTheSame() {
    storeUntilTraining();
    train();

    byte[] value = JsonValues.json(random);
    Bytes stored = stored(value);

    assertTrue(header.isCompressed);
    assertTrue(stored.length() < value.length / 2, stored.length() + " of " + value.length);
    assertArrayEquals(value, expanded(stored));
    assertEquals(ValueDictionary.bytes(), compression.dictionaryBytes());
  }

  @Test
  void expand_fromMemory_givesTheSame() {
    compression.use(JsonValues.DICTIONARY);
    byte[] value = JsonValues.json(random);
    byte[] stored = stored(value).toByteArray();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(stored.length + 5);
      Native.copy(stored, 0, memory, 5, stored.length);

      byte[] plain = new byte[ValueCompression.lengthBefore(memory, 5)];
      compression.expand(memory, 5, stored.length, plain);

      assertArrayEquals(value, plain);
    }
  }

  @Test
  void stored_ofNoise_staysAsItIs() {
    compression.use(JsonValues.DICTIONARY);
    for (int length : new int[] {48, 100, 1_000, ValueCompression.VALUE_BYTES_MAX}) {
      byte[] value = noise(length);

      assertArrayEquals(value, stored(value).toByteArray());
      assertFalse(header.isCompressed);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, ValueCompression.VALUE_BYTES_MIN - 1})
  void stored_ofFewBytes_staysAsItIs(int length) {
    compression.use(JsonValues.DICTIONARY);
    Bytes value = Bytes.of(new byte[length]);

    assertSame(value, compression.stored(value, null, header));
    assertFalse(header.isCompressed);
  }

  @ParameterizedTest
  @ValueSource(ints = {ValueCompression.VALUE_BYTES_MIN, 127, 128, 4096, 5_000, 16_383, 16_384})
  void stored_ofAnyLength_expandsToTheSame(int length) {
    compression.use(JsonValues.DICTIONARY);
    byte[] value = bytes("{\"name\":\"somebody\"}".repeat(1_000).substring(0, length));

    Bytes stored = stored(value);

    assertTrue(header.isCompressed);
    assertArrayEquals(value, expanded(stored));
  }

  @Test
  void stored_ofMoreBytesThanTheLimit_staysAsItIs() {
    compression.use(JsonValues.DICTIONARY);
    Bytes value = Bytes.of(new byte[ValueCompression.VALUE_BYTES_MAX + 1]);

    assertSame(value, compression.stored(value, null, header));
  }

  @Test
  void values_ofTwoDictionaries_nameTheirs() {
    compression.use(JsonValues.DICTIONARY);
    byte[] first = JsonValues.json(random);
    Bytes ofFirst = stored(first);

    compression.use(JsonValues.dictionary(1, 2));
    byte[] second = JsonValues.json(random);
    Bytes ofSecond = stored(second);

    assertEquals(0, ofFirst.toByteArray()[0]);
    assertEquals(1, ofSecond.toByteArray()[0]);
    assertArrayEquals(first, expanded(ofFirst));
    assertArrayEquals(second, expanded(ofSecond));
    assertArrayEquals(first, expanded(ofFirst));
  }

  @Test
  void training_ofNoise_makesNoDictionaryAndIsTriedAgain() {
    for (int i = 0; trainings.isEmpty(); i++) {
      assertTrue(i <= ValueCompression.SAMPLE_BYTES / 100, "no training");
      Bytes _ = stored(noise(200));
    }
    train();
    assertEquals(0, compression.dictionaryBytes());

    storeUntilTraining();
    train();

    assertEquals(ValueDictionary.bytes(), compression.dictionaryBytes());
  }

  @Test
  void training_whenValuesHaveChanged_makesAnotherDictionary() {
    storeUntilTraining();
    train();
    for (int i = 0; i < 64 * LOOKS_MAX; i++) {
      Bytes _ = stored(JsonValues.json(random));
    }
    assertEquals(List.of(), trainings);
    byte[] old = JsonValues.json(random);
    Bytes ofOld = stored(old);

    for (int i = 0; trainings.isEmpty(); i++) {
      assertTrue(i <= 2 * ValueCompression.SAMPLE_BYTES / 50, "no training");
      Bytes _ = stored(other(i));
    }
    train();

    assertEquals(2 * ValueDictionary.bytes(), compression.dictionaryBytes());
    Bytes ofNew = stored(other(5));
    assertEquals(1, ofNew.toByteArray()[0]);
    assertArrayEquals(other(5), expanded(ofNew));
    assertArrayEquals(old, expanded(ofOld));
  }

  /** A document that has nothing in common with the others. */
  private static byte[] other(int number) {
    return bytes(
        "<ORDER NUMBER='%d'><ITEM CODE='%x'/><PRICE CURRENCY='EUR'>%d</PRICE></ORDER>"
            .formatted(number, number * 0x9E37_79B9, number % 1_000));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void training_whenAnotherIsNoBetter_keepsTheFirst() {
    storeUntilTraining();
    train();
    for (int i = 0; i < 64 * LOOKS_MAX; i++) {
      Bytes _ = stored(JsonValues.json(random));
    }
    for (int i = 0; trainings.isEmpty(); i++) {
      assertTrue(i <= 2 * ValueCompression.SAMPLE_BYTES / 50, "no training");
      Bytes _ = stored(noise(200));
    }
    train();

    assertEquals(ValueDictionary.bytes(), compression.dictionaryBytes());
    for (int i = 0; i < 1_000; i++) {
      Bytes _ = stored(noise(200));
    }
    assertEquals(List.of(), trainings, "noise is what is usual now");
  }

  @Test
  void memory_ofACompressedContainer_isThatOfTheStoredForms() {
    long plain = liveBytes(TextKind.OFF_HEAP);
    long compressed = liveBytes(TextKind.COMPRESSED_OFF_HEAP);

    assertTrue(compressed < plain / 2, compressed + " of " + plain);
  }

  private long liveBytes(TextKind<BinaryKey, Bytes> kind) {
    Container<BinaryKey, Bytes> container = kind.container(4, 1, new FakeEnv().env().epochClock());
    Random values = new Random(9);
    for (int i = 0; i < 500; i++) {
      BinaryKey key = kind.key("key" + i);
      Effect<Bytes> effect = new Effect<>();
      effect.store(Bytes.of(JsonValues.json(values)), -1, -1);
      Segment<BinaryKey, Bytes> segment = container.segment(key.hash());
      segment.lock();
      try {
        EntryView<BinaryKey, Bytes> view = container.newView();
        segment.locate(key, key.hash(), view);
        segment.applyLocated(key, key.hash(), view, effect, segment.nextVersion());
      } finally {
        segment.unlock();
      }
    }
    return container.memoryUse().liveBytes();
  }

  @Test
  void view_withoutDictionaries_refusesACompressedValue() {
    SegmentFixture<BinaryKey, Bytes> fixture = new SegmentFixture<>(TextKind.COMPRESSED_BINARY);
    fixture.store("a", "1");
    SegmentSnapshot<BinaryKey, Bytes> walk = fixture.snapshot();
    BinaryView plain = new BinaryView();

    assertTrue(walk.next(plain));
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> plain.value().toByteArray());
    assertEquals("compressed entry without its dictionaries", refused.getMessage());
  }
}
