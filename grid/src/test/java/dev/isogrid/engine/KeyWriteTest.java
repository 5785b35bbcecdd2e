package dev.isogrid.engine;

import static dev.isogrid.engine.KeyWrite.Outcome.DONE;
import static dev.isogrid.engine.KeyWrite.Outcome.KEY_ABSENT;
import static dev.isogrid.engine.KeyWrite.Outcome.KEY_PRESENT;
import static dev.isogrid.engine.KeyWrite.Outcome.OTHER_VERSION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.engine.KeyWrite.Condition;
import dev.isogrid.engine.KeyWrite.Outcome;
import dev.isogrid.store.TextKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyWriteTest {
  private final EngineFixture<Object, Object> fixture =
      new EngineFixture<>(TextKind.OBJECTS, CacheConfig.builder());

  private void assertPut(
      @Nullable String before, Condition condition, Outcome outcome, @Nullable String after) {
    prepare(before);
    assertWrite(fixture.putting("new").when(condition), before, outcome, after);
  }

  private void assertRemoval(
      @Nullable String before, Condition condition, Outcome outcome, @Nullable String after) {
    prepare(before);
    assertWrite(new KeyWrite<>().remove().when(condition), before, outcome, after);
  }

  private void prepare(@Nullable String before) {
    fixture.remove("a");
    if (before != null) {
      fixture.put("a", before);
    }
  }

  private void assertWrite(
      KeyWrite<Object, Object> write,
      @Nullable String before,
      Outcome outcome,
      @Nullable String after) {
    List<Object> previous = new ArrayList<>();

    long version = fixture.write("a", write.readingPrevious(e -> previous.add(e.value())));

    assertEquals(outcome, write.outcome());
    assertEquals(before != null, write.existed());
    assertEquals(before == null ? List.of() : List.of(before), previous);
    assertEquals(outcome == DONE, version > 0);
    assertEquals(after, fixture.get("a"));
  }

  @Test
  void put_underEachCondition_isDoneOrRefused() {
    assertPut(null, Condition.NONE, DONE, "new");
    assertPut("old", Condition.NONE, DONE, "new");
    assertPut(null, Condition.ABSENT, DONE, "new");
    assertPut("old", Condition.ABSENT, KEY_PRESENT, "old");
    assertPut(null, Condition.PRESENT, KEY_ABSENT, null);
    assertPut("old", Condition.PRESENT, DONE, "new");
  }

  @Test
  void remove_underEachCondition_isDoneOrRefused() {
    assertRemoval(null, Condition.NONE, KEY_ABSENT, null);
    assertRemoval("old", Condition.NONE, DONE, null);
    assertRemoval(null, Condition.ABSENT, KEY_ABSENT, null);
    assertRemoval("old", Condition.ABSENT, KEY_PRESENT, "old");
    assertRemoval(null, Condition.PRESENT, KEY_ABSENT, null);
    assertRemoval("old", Condition.PRESENT, DONE, null);
  }

  @Test
  void put_whenVersion_isDoneIfItIsTheEntrys() {
    long version = fixture.put("a", "old");

    assertWrite(fixture.putting("x").whenVersion(version - 1), "old", OTHER_VERSION, "old");
    assertWrite(fixture.putting("x").whenVersion(0), "old", OTHER_VERSION, "old");
    assertWrite(fixture.putting("x").whenVersion(version), "old", DONE, "x");
    assertWrite(fixture.putting("y").whenVersion(version), "x", OTHER_VERSION, "x");
    fixture.remove("a");
    assertWrite(fixture.putting("z").whenVersion(version), null, KEY_ABSENT, null);
  }

  @Test
  void remove_whenVersion_isDoneIfItIsTheEntrys() {
    long version = fixture.put("a", "old");

    assertWrite(new KeyWrite<>().remove().whenVersion(version + 1), "old", OTHER_VERSION, "old");
    assertWrite(new KeyWrite<>().remove().whenVersion(version), "old", DONE, null);
    assertWrite(new KeyWrite<>().remove().whenVersion(version), null, KEY_ABSENT, null);
  }

  @Test
  void put_ofReusedWrite_forgetsTheRequestBefore() {
    KeyWrite<Object, Object> write = new KeyWrite<>();
    List<Object> previous = new ArrayList<>();
    fixture.write(
        "a",
        write
            .put("1")
            .when(Condition.ABSENT)
            .expiry(10, 5)
            .attributes(7, "a/b")
            .readingPrevious(entry -> previous.add(entry.value())));
    assertEquals(List.of(10L, 5L), fixture.times("a"));
    fixture.read(
        "a",
        entry -> {
          assertEquals(7, entry.clientFlags());
          assertEquals("a/b", entry.mediaType());
        });

    fixture.write("a", write.put("2"));

    assertEquals(DONE, write.outcome());
    assertEquals("2", fixture.get("a"));
    assertEquals(List.of(), previous);
    assertEquals(List.of(-1L, -1L), fixture.times("a"));
    fixture.read(
        "a",
        entry -> {
          assertEquals(0, entry.clientFlags());
          assertNull(entry.mediaType());
        });
    assertFalse(write.isRemoval());
    assertTrue(write.remove().isRemoval());
  }
}
