package dev.isogrid.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OpcodesTest {
  @Test
  void responseTo_aRequest_followsTheThreeRules() {
    assertEquals(0x02, Opcodes.responseTo(Opcodes.PUT));
    assertEquals(0x18, Opcodes.responseTo(Opcodes.PING));
    assertEquals(0x51, Opcodes.responseTo(Opcodes.COUNTER_IS_DEFINED));
    assertEquals(0x80, Opcodes.responseTo(Opcodes.COUNTER_GET_AND_SET));
    assertEquals(0xE4, Opcodes.responseTo(Opcodes.END_GET_STREAM));
    assertEquals(0xEE, Opcodes.responseTo(Opcodes.START_PUT_STREAM));
  }

  @Test
  void describe_anOperation_namesItIfItIsKnown() {
    assertEquals("0x07 (replace)", Opcodes.describe(Opcodes.REPLACE));
    assertEquals("0x2D (putAll)", Opcodes.describe(Opcodes.PUT_ALL));
    assertEquals("0xEF (startPutStream)", Opcodes.describe(Opcodes.START_PUT_STREAM));
    assertEquals("0x4A", Opcodes.describe(0x4A));
  }

  @Test
  void statuses_fromTheFirstErrorOn_areErrors() {
    assertFalse(Statuses.isError(Statuses.NOT_EXECUTED_WITH_PREVIOUS_OBJECTS));
    assertTrue(Statuses.isError(Statuses.INVALID_MAGIC_OR_ID));
    assertTrue(Statuses.isError(Statuses.ILLEGAL_LIFECYCLE));
  }

  @Test
  void versions_from20To41_areSupported() {
    assertFalse(Versions.isSupported(19));
    assertTrue(Versions.isSupported(20));
    assertTrue(Versions.isSupported(41));
    assertFalse(Versions.isSupported(42));
  }

  @Test
  void toMillis_ofEachUnit_cutsPartsOff() {
    assertEquals(2000, ExpiryUnits.toMillis(2, ExpiryUnits.SECONDS));
    assertEquals(2, ExpiryUnits.toMillis(2, ExpiryUnits.MILLISECONDS));
    assertEquals(1, ExpiryUnits.toMillis(1_999_999, ExpiryUnits.NANOSECONDS));
    assertEquals(1, ExpiryUnits.toMillis(1_999, ExpiryUnits.MICROSECONDS));
    assertEquals(120_000, ExpiryUnits.toMillis(2, ExpiryUnits.MINUTES));
    assertEquals(7_200_000, ExpiryUnits.toMillis(2, ExpiryUnits.HOURS));
    assertEquals(172_800_000, ExpiryUnits.toMillis(2, ExpiryUnits.DAYS));
    assertEquals(Long.MAX_VALUE, ExpiryUnits.toMillis(Long.MAX_VALUE, ExpiryUnits.DAYS));
    assertThrows(
        IllegalArgumentException.class, () -> ExpiryUnits.toMillis(1, ExpiryUnits.DEFAULT));
  }

  @Test
  void units_butDefaultAndInfinite_haveANumber() {
    assertTrue(ExpiryUnits.hasNumber(ExpiryUnits.DAYS));
    assertFalse(ExpiryUnits.hasNumber(ExpiryUnits.DEFAULT));
    assertFalse(ExpiryUnits.hasNumber(ExpiryUnits.INFINITE));
    assertTrue(ExpiryUnits.hasNumber(ExpiryUnits.MOMENT));
    assertTrue(ExpiryUnits.isValid(9));
    assertFalse(ExpiryUnits.isValid(10));
    assertEquals(0x77, ExpiryUnits.BOTH_DEFAULT);
  }
}
