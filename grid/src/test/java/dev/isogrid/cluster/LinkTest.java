package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkTest {
  private static final long SECOND = 1_000_000_000L;

  private long nanos = 1_000 * SECOND;
  private final List<Long> pauses = new ArrayList<>();
  private final Link link =
      new Link(
          new Link.Target(LinkHello.Purpose.STREAM, null, new InetSocketAddress("127.0.0.1", 7800)),
          () -> nanos,
          (_, pauseNanos) -> pauses.add(pauseNanos));

  private static byte[] frame(int length, int content) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) content);
    return bytes;
  }

  private static List<byte[]> framesOf(EmbeddedChannel channel) {
    List<byte[]> frames = new ArrayList<>();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      while (out.isReadable()) {
        byte[] frame = new byte[out.readInt()];
        out.readBytes(frame);
        frames.add(frame);
      }
      out.release();
    }
    return frames;
  }

  @Test
  void write_beforeTheConnectionIsThere_sendsAllInOrderThen() {
    for (int i = 0; i < 200; i++) {
      assertTrue(link.tryAdd(frame(1000, i)));
      assertEquals(i == 0, link.claim());
    }
    link.write();
    link.write();
    assertEquals(1, pauses.size()); // one attempt for all
    EmbeddedChannel channel = new EmbeddedChannel();
    link.opened(channel);
    List<byte[]> frames = framesOf(channel);
    assertEquals(200, frames.size());
    for (int i = 0; i < 200; i++) {
      assertEquals((byte) i, frames.get(i)[999]);
    }
  }

  @Test
  void tryAdd_beyondTheLimit_isRefusedUntilSomethingIsSent() {
    assertTrue(link.tryAdd(frame(20 << 20, 1))); // alone as large as it likes
    assertFalse(link.tryAdd(frame(1, 2)));
    EmbeddedChannel channel = new EmbeddedChannel();
    link.write();
    link.opened(channel);
    assertEquals(1, framesOf(channel).size());
    assertTrue(link.tryAdd(frame(1, 3)));
  }

  @Test
  void failed_losesWhatWaits_andPausesBeforeTheNextAttempt() {
    assertTrue(link.tryAdd(frame(10, 1)));
    link.write();
    link.failed();
    assertTrue(link.isUnused());
    assertTrue(link.tryAdd(frame(10, 2)));
    link.write();
    assertEquals(List.of(0L, SECOND / 10), pauses);
    EmbeddedChannel channel = new EmbeddedChannel();
    link.opened(channel);
    assertEquals(2, framesOf(channel).getFirst()[0]);
  }

  @Test
  void sweep_ofAConnectionThatIsNotHeard_closesItAndOpensAnother() {
    EmbeddedChannel channel = open();
    link.sweep(nanos + 3 * SECOND, nanos - SECOND);
    assertTrue(channel.isOpen());
    link.sweep(nanos + 6 * SECOND, nanos + 3 * SECOND); // heard meanwhile
    assertTrue(channel.isOpen());
    link.sweep(nanos + 8 * SECOND, nanos + 3 * SECOND);
    assertFalse(channel.isOpen());
    assertTrue(link.tryAdd(frame(10, 1)));
    link.write();
    assertEquals(2, pauses.size());
  }

  @Test
  void sweep_ofAConnectionThatIsNotUsed_closesIt() {
    EmbeddedChannel channel = open();
    link.sweep(nanos + 59 * SECOND, nanos + 59 * SECOND);
    assertTrue(channel.isOpen());
    link.sweep(nanos + 61 * SECOND, nanos + 61 * SECOND);
    assertFalse(channel.isOpen());
    assertTrue(link.isUnused());
  }

  @Test
  void ended_withFramesThatWait_opensAnotherConnection() {
    EmbeddedChannel channel = open();
    nanos += 2 * SECOND;
    assertTrue(link.tryAdd(frame(10, 1)));
    link.ended(channel);
    assertEquals(2, pauses.size());
    assertTrue(pauses.getLast() <= 0, "at once");
  }

  @Test
  void ended_soonAfterItWasOpened_pausesBeforeTheNextAttempt() {
    EmbeddedChannel channel = open();
    assertTrue(link.tryAdd(frame(10, 1)));
    link.ended(channel);
    assertEquals(SECOND / 10, pauses.getLast());
  }

  @Test
  void close_losesWhatWaits_andOpensNothingMore() {
    EmbeddedChannel channel = open();
    link.close();
    assertFalse(channel.isOpen());
    assertTrue(link.tryAdd(frame(10, 1)));
    link.write();
    assertEquals(1, pauses.size());
    assertNull(channel.readOutbound());
  }

  private EmbeddedChannel open() {
    assertTrue(link.tryAdd(frame(1, 0)));
    assertTrue(link.claim());
    link.write();
    EmbeddedChannel channel = new EmbeddedChannel();
    link.opened(channel);
    assertEquals(1, framesOf(channel).size());
    return channel;
  }
}
