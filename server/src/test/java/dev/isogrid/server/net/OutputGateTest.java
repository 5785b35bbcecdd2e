package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class OutputGateTest {
  private boolean peerReads = true;

  /** Holds back flushes while the peer does not read. */
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new ChannelOutboundHandlerAdapter() {
            @Override
            public void flush(ChannelHandlerContext context) {
              if (peerReads) {
                context.flush();
              }
            }
          },
          new ChannelInboundHandlerAdapter());

  private final OutputGate gate =
      new OutputGate(channel.pipeline().context(ChannelInboundHandlerAdapter.class));

  @Test
  void flush_severalReplies_sendsOneBuffer() {
    gate.buffer().writeLong(1);
    assertTrue(gate.isOpen());
    gate.buffer().writeLong(2);
    assertNull(channel.readOutbound(), "nothing is sent before the end of the batch");
    gate.flush();
    ByteBuf sent = channel.readOutbound();
    assertEquals(16, sent.readableBytes());
    sent.release();
    assertNull(channel.readOutbound());
  }

  @Test
  void isOpen_muchCollected_sendsIt() {
    gate.buffer().writeZero(OutputGate.COLLECTED_MAX);
    assertTrue(gate.isOpen());
    ByteBuf sent = channel.readOutbound();
    assertNotNull(sent);
    sent.release();
  }

  private int send(int size) {
    ByteBuf buffer = gate.buffer();
    int capacity = buffer.capacity();
    buffer.writeZero(size);
    gate.flush();
    ByteBuf sent = channel.readOutbound();
    sent.release();
    return capacity;
  }

  @Test
  void buffer_afterBatchesOfASize_hasRoomForAnotherFromTheBeginning() {
    int before = send(40_000);
    int after = send(40_000);

    assertTrue(before < 1_000, "room at first: " + before);
    assertTrue(after >= 40_000 && after < 50_000, "room for the second: " + after);
  }

  @Test
  void buffer_afterSmallBatches_isSmallAgain() {
    int _ = send(40_000);
    for (int i = 0; i < 20; i++) {
      int _ = send(10);
    }

    int room = send(10);

    assertTrue(room < 1_000, "room: " + room);
  }

  @Test
  void write_largePart_keepsTheOrderAndDoesNotCopy() {
    ByteBuf large = Unpooled.wrappedBuffer(new byte[100]);
    gate.buffer().writeByte(1);
    gate.write(large);
    gate.buffer().writeByte(2);
    gate.flush();
    ByteBuf first = channel.readOutbound();
    assertEquals(1, first.readByte());
    first.release();
    assertEquals(large, channel.readOutbound());
    ByteBuf last = channel.readOutbound();
    assertEquals(2, last.readByte());
    last.release();
    large.release();
  }

  @Test
  void flush_peerDoesNotRead_stopsReadingUntilItDoes() {
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(10, 1000));
    peerReads = false;
    gate.buffer().writeZero(2000);
    gate.flush();
    assertFalse(gate.isOpen());
    assertFalse(channel.config().isAutoRead());
    peerReads = true;
    channel.flush();
    assertTrue(gate.isOpen());
    gate.flush();
    assertTrue(channel.config().isAutoRead());
    channel.releaseOutbound();
  }

  @Test
  void release_collected_isDropped() {
    ByteBuf buffer = gate.buffer().writeLong(1);
    gate.release();
    gate.release();
    assertEquals(0, buffer.refCnt());
    gate.flush();
    assertNull(channel.readOutbound());
  }
}
