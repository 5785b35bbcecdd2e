package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SocketMemoryTest {
  private static final int MIB = 1 << 20;

  private final SocketMemory memory = new SocketMemory(1, 16 * MIB);
  private final List<ByteBuf> buffers = new ArrayList<>();

  @AfterEach
  void release() {
    buffers.forEach(ByteBuf::release);
  }

  private void allocate(int size) {
    buffers.add(memory.ioBuffer(size));
  }

  @Test
  void largeBuffers_leaveTheReserve_toSmallOnes() {
    for (int i = 0; i < 7; i++) {
      allocate(2 * MIB);
    }
    OutOfMemoryError refusal = assertThrows(OutOfMemoryError.class, () -> allocate(2 * MIB));
    assertTrue(String.valueOf(refusal.getMessage()).contains("used=14680064, limit=14680064"));
    assertThrows(OutOfMemoryError.class, () -> allocate(64 << 10));
    allocate(32 << 10);
    assertEquals(8, buffers.size());
  }

  @Test
  void memoryOfReleasedBuffers_isUsedAgain() {
    for (int i = 0; i < 20; i++) {
      allocate(10 * MIB);
      buffers.removeLast().release();
    }
    assertEquals(0, memory.metric().usedDirectMemory());
  }
}
