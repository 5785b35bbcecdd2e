package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies between the socket's buffers, of any kind, and memory outside of the heap. */
class NativeCopyTest {
  private static final int OFFSET = 13;
  private static final int LENGTH = 5_000;
  private static final int MARGIN = 7;

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  static Stream<ByteBuf> buffers() {
    ByteBufAllocator pooled = PooledByteBufAllocator.DEFAULT;
    ByteBufAllocator unpooled = UnpooledByteBufAllocator.DEFAULT;
    CompositeByteBuf composite = Unpooled.compositeBuffer();
    composite.addComponent(true, unpooled.heapBuffer(2_000).writeZero(2_000));
    composite.addComponent(true, pooled.directBuffer(1_500).writeZero(1_500));
    composite.addComponent(true, unpooled.directBuffer(2_000).writeZero(2_000));
    return Stream.of(
        pooled.directBuffer(),
        pooled.heapBuffer(),
        unpooled.directBuffer(),
        unpooled.heapBuffer(),
        composite);
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void copyTo_memory_takesJustTheBytes(ByteBuf buffer) {
    byte[] content = random(OFFSET + LENGTH + MARGIN);
    buffer.clear().writeBytes(content).readerIndex(3);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = arena.allocate(MARGIN + LENGTH + MARGIN);
      new ByteBufBytes().set(buffer, OFFSET, LENGTH).copyTo(memory, MARGIN);

      byte[] copied = memory.toArray(ValueLayout.JAVA_BYTE);
      assertArrayEquals(
          Arrays.copyOfRange(content, OFFSET, OFFSET + LENGTH),
          Arrays.copyOfRange(copied, MARGIN, MARGIN + LENGTH));
      assertArrayEquals(new byte[MARGIN], Arrays.copyOf(copied, MARGIN));
      assertArrayEquals(
          new byte[MARGIN], Arrays.copyOfRange(copied, MARGIN + LENGTH, copied.length));
      assertEquals(3, buffer.readerIndex());
      assertEquals(content.length, buffer.writerIndex());
    } finally {
      buffer.release();
    }
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void write_memory_appendsJustTheBytes(ByteBuf buffer) {
    byte[] content = random(OFFSET + LENGTH + MARGIN);
    buffer.clear();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = arena.allocate(content.length);
      memory.copyFrom(MemorySegment.ofArray(content));
      ByteBufSink sink = new ByteBufSink().to(buffer);
      sink.write(new byte[] {1, 2}, 0, 2);
      sink.write(memory, OFFSET, LENGTH);
      sink.write(memory, 0, 0);

      byte[] expected = new byte[2 + LENGTH];
      expected[0] = 1;
      expected[1] = 2;
      System.arraycopy(content, OFFSET, expected, 2, LENGTH);
      assertArrayEquals(expected, ByteBufUtil.getBytes(buffer));
    } finally {
      buffer.release();
    }
  }
}
