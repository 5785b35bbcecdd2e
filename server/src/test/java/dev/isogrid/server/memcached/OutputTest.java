package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.server.net.OutputGate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class OutputTest {
  /** Has no memory at all. */
  private static final class Full extends PooledByteBufAllocator {
    Full() {
      super(false);
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      throw new OutOfMemoryError("full");
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      throw new OutOfMemoryError("full");
    }
  }

  @Test
  void largeReply_withoutMemory_isAnErrorOfTheRequestOnly() {
    EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    OutputGate gate = new OutputGate(channel.pipeline().firstContext());
    Output output = new Output(gate, new Full());
    RetryableGridException refusal =
        assertThrows(RetryableGridException.class, () -> output.begin(1_000_000));
    assertEquals(
        "no memory for a large reply: size=1000000; try again later", refusal.getMessage());
    assertFalse(output.releaseLarge());
    output.begin(100).writeByte('x');
    gate.flush();
    ByteBuf sent = channel.readOutbound();
    assertEquals(1, sent.readableBytes());
    sent.release();
    assertFalse(channel.finish());
  }
}
