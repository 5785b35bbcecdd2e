package dev.isogrid.bench.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MappedMemoryTest {
  private static final List<String> TWO_MAPPINGS =
      List.of(
          "600000000-700000000 rw-p 00000000 00:00 0 ",
          "Size:            4194304 kB",
          "Rss:                 100 kB",
          "Pss:                  50 kB",
          "Pss_Dirty:            40 kB",
          "SwapPss:               7 kB",
          "7f0000000000-7f0000001000 r--p 00000000 08:01 12  /usr/lib/libc.so",
          "Rss:                   8 kB",
          "Pss:                   2 kB",
          "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]",
          "Rss:                   4 kB",
          "Pss:                   4 kB");

  @Test
  void parse_ofAll_addsUp() throws IOException {
    assertEquals(
        new MappedMemory(108 * 1024, 52 * 1024),
        MappedMemory.parse(TWO_MAPPINGS, 0, Long.MAX_VALUE));
  }

  @Test
  void parse_ofARange_leavesOutOthers() throws IOException {
    assertEquals(
        new MappedMemory(100 * 1024, 50 * 1024),
        MappedMemory.parse(TWO_MAPPINGS, 0x600000000L, 0x800000000L));
    assertEquals(MappedMemory.NONE, MappedMemory.parse(TWO_MAPPINGS, 1, 2));
  }

  @Test
  void parse_withoutFigures_fails() {
    assertThrows(
        IOException.class, () -> MappedMemory.parse(List.of("Size: 4 kB"), 0, Long.MAX_VALUE));
  }

  @Test
  void parse_ofHeapInformation_findsSizeAndAddresses() {
    String info =
        """
        3493:
        garbage-first heap   total reserved 8388608K, committed 28672K, used 3793K \
        [0x0000000600000000, 0x0000000800000000)
         region size 4096K, 0 young (0K), 0 survivors (0K)
         Metaspace       used 1000K, committed 1200K, reserved 1114112K
        """;

    assertEquals(
        new ProcessFacts.Heap(3793 * 1024, 0x600000000L, 0x800000000L),
        ProcessFacts.Heap.parse(info).orElseThrow());
    assertTrue(ProcessFacts.Heap.parse("3493:\nCommand not found").isEmpty());
  }

  @Test
  void memory_ofThisProcess_containsItsHeap() throws IOException, InterruptedException {
    ProcessFacts facts = new ProcessFacts(ProcessHandle.current().pid());

    ProcessFacts.Heap heap = facts.liveHeap();
    MappedMemory mappedHeap = facts.memory(heap.start(), heap.end());
    MappedMemory all = facts.memory();

    assertTrue(mappedHeap.residentBytes() > 0, mappedHeap::toString);
    assertTrue(all.residentBytes() > mappedHeap.residentBytes(), all::toString);
    assertTrue(all.proportionalBytes() <= all.residentBytes(), all::toString);
  }
}
