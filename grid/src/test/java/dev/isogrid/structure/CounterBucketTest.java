package dev.isogrid.structure;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.CounterEvent.State;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The entries of counters as bytes. */
class CounterBucketTest {
  @ParameterizedTest
  @CsvSource({"cs, 622525731", "counter, 52965202"})
  void key_hashesAsHotRodClientsDo(String name, int hash) {
    assertEquals(hash, CounterBucket.keyOf(name).hash() & Integer.MAX_VALUE);
  }

  @Test
  void counters_writtenAndRead_areEqual() {
    CounterConfig weak = CounterConfig.weak(-7).withConcurrency(300);
    CounterConfig persistent =
        CounterConfig.strong(1).withStorage(CounterConfig.Storage.PERSISTENT);
    CounterState bounded = CounterState.of(CounterConfig.boundedStrong(5, 0, 10)).plus(100);
    CounterBucket bucket =
        CounterBucket.EMPTY
            .with("€", CounterState.of(weak).begunAgain())
            .with("b", bounded)
            .with("p", CounterState.of(persistent, 1L << 60).plus(-1))
            .with("s", CounterState.of(CounterConfig.strong(Long.MIN_VALUE)));
    CounterBucket read = CounterBucket.of(bucket.toBytes());
    assertEquals(bucket.counters(), read.counters());
    assertEquals(List.of("€", "b", "p", "s"), List.copyOf(read.counters().keySet()));
    assertEquals(State.UPPER_BOUND_REACHED, bounded.state());
    assertArrayEquals(bucket.toBytes(), read.toBytes());
    assertTrue(CounterBucket.hasPersistent(bucket.toBytes()));
    assertFalse(CounterBucket.hasPersistent(bucket.with("p", null).toBytes()));
    assertTrue(read.with("p", null).with("€", null).with("b", null).with("s", null).isEmpty());
  }

  @Test
  void bytes_thatAreNoCounters_areRefused() {
    byte[] bytes = CounterBucket.EMPTY.with("c", CounterState.of(CounterConfig.weak(0))).toBytes();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(FatalGridException.class, () -> CounterBucket.of(cut));
    }
    bytes[0] = 9;
    assertThrows(FatalGridException.class, () -> CounterBucket.of(bytes));
  }

  @Test
  void counters_ofOneHash_areLimited() {
    CounterBucket bucket = CounterBucket.EMPTY;
    CounterState counter = CounterState.of(CounterConfig.strong(0));
    for (int i = 0; i < CounterBucket.COUNTERS_MAX; i++) {
      bucket = bucket.with("c" + i, counter);
    }
    CounterBucket full = bucket;
    assertThrows(InvalidRequestException.class, () -> full.with("more", counter));
    assertEquals(CounterBucket.COUNTERS_MAX, full.with("c1", counter).counters().size());
  }

  @Test
  void values_writtenAndRead_areEqual() {
    ValueList list = ValueList.EMPTY.plus(new byte[] {1}).plus(new byte[0]).plus(new byte[] {1});
    byte[] bytes = list.toBytes();
    assertEquals(list.values(), requireNonNull(ValueList.tryRead(bytes)).values());
    assertEquals(list.size(), bytes.length);
    for (int length = 0; length < bytes.length; length++) {
      assertNull(ValueList.tryRead(Arrays.copyOf(bytes, length)));
    }
    assertNull(ValueList.tryRead(Arrays.copyOf(bytes, bytes.length + 1)));
    bytes[4] = -1; // a negative count
    assertNull(ValueList.tryRead(bytes));
  }

  @Test
  void holders_writtenAndRead_areEqual() {
    HolderTable table =
        new HolderTable(5, 7, List.of())
            .plus(new HolderTable.Holder("a-1", 1, 2))
            .plus(new HolderTable.Holder("b-2", 9, 1));
    assertEquals(table, HolderTable.of(table.toBytes()));
    assertEquals(9, table.fence());
    assertEquals(2, table.available());
    assertEquals(3, table.with("a-1", 1, 1).available());
    byte[] bytes = table.toBytes();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(FatalGridException.class, () -> HolderTable.of(cut));
    }
  }
}
