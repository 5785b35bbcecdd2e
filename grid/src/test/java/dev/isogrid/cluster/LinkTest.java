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
  private final FixedCodec codec = new FixedCodec();
  private final FrameEncoder encoder = new FrameEncoder(codec);
  private final SentCount sent = new SentCount();
  private final Link link =
      new Link(
          new Link.Target(LinkHello.Purpose.STREAM, null, new InetSocketAddress("127.0.0.1", 7800)),
          () -> nanos,
          (_, pauseNanos) -> pauses.add(pauseNanos),
          encoder,
          sent);

  private static Frame frame(int length, int content) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) content);
    return Frame.of(bytes);
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

  /** A message of some bytes. */
  private record Sized(int sizeBytes, int content) implements Message {
    @Override
    public int epoch() {
      return 0;
    }

    /** As what waits for a link that knows another size. */
    Frame frame(int about) {
      return Frame.of(this, about);
    }
  }

  /** Writes messages with a content, and refuses those without. */
  private static final class FixedCodec extends EncodingCodec {
    @Override
    void write(Message message, MessageWriter out) {
      Sized sized = (Sized) message;
      out.putByte(sized.content);
      if (sized.content == 0) {
        throw new IllegalArgumentException("too large");
      }
      for (int i = 1; i < sized.sizeBytes; i++) {
        out.putByte(sized.content);
      }
    }
  }

  @Test
  void write_ofMessages_encodesThemInTheirOrderWhenTheyAreSent() {
    List<Integer> lengths = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      lengths.add(1 + i * 977 % 100_000);
      assertTrue(link.tryAdd(new Sized(lengths.getLast(), i).frame(i % 3)));
    }
    assertEquals(0, codec.encoded);
    EmbeddedChannel channel = new EmbeddedChannel();
    link.write();
    link.opened(channel);
    List<byte[]> frames = framesOf(channel);
    assertEquals(lengths, frames.stream().map(frame -> frame.length).toList());
    for (int i = 0; i < 100; i++) {
      assertEquals(i + 1, frames.get(i)[frames.get(i).length - 1]);
    }
    assertEquals(100, sent.sum().count());
  }

  @Test
  void write_ofMessagesThatAreLargerThanTheySeemed_countsWhatTheyAre() {
    for (int i = 0; i < 40; i++) {
      assertTrue(link.tryAdd(new Sized(1 << 20, 1).frame(0)));
    }
    link.write();
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.config().setWriteBufferHighWaterMark(1 << 20);
    channel.config().setAutoRead(false);
    link.opened(channel);
    assertEquals(40, framesOf(channel).size());
    assertTrue(link.tryAdd(frame(16 << 20, 1)), "nothing waits any more");
    assertFalse(link.tryAdd(frame(1, 1)));
  }

  @Test
  void write_ofAMessageThatCanNotBeEncoded_reportsItAndSendsTheOthers() {
    List<Message> failed = new ArrayList<>();
    encoder.whenFailed((message, why) -> failed.add(message));
    Sized bad = new Sized(10, 0);
    assertTrue(link.tryAdd(new Sized(3, 1).frame(3)));
    assertTrue(link.tryAdd(bad.frame(20 << 20 >> 1)));
    assertTrue(link.tryAdd(new Sized(3, 2).frame(3)));
    link.write();
    EmbeddedChannel channel = new EmbeddedChannel();
    link.opened(channel);
    List<byte[]> frames = framesOf(channel);
    assertEquals(2, frames.size());
    assertEquals(2, frames.getLast()[2]);
    assertEquals(List.of(bad), failed);
    assertTrue(link.tryAdd(frame(16 << 20, 1)), "what was not sent counts no more");
  }

  @Test
  void tryAdd_ofALargeMessage_behindAFewOthers_isTaken() {
    assertTrue(link.tryAdd(frame(1 << 20, 1)));
    assertTrue(link.tryAdd(frame(48 << 20, 2)));
    assertFalse(link.tryAdd(frame(1, 3)));
  }

  @Test
  void write_ofAMessageForSeveralNodes_encodesItOnce() {
    Frame shared = new Sized(1000, 7).frame(1000);
    shared.share();
    assertTrue(link.tryAdd(shared));
    assertTrue(link.tryAdd(shared)); // as another link would
    link.write();
    EmbeddedChannel channel = new EmbeddedChannel();
    link.opened(channel);
    List<byte[]> frames = framesOf(channel);
    assertEquals(2, frames.size());
    assertEquals(7, frames.getLast()[999]);
    assertEquals(1, codec.encoded);
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
    link.sweep(nanos + SECOND, nanos + SECOND); // takes note that it was used
    link.sweep(nanos + 60 * SECOND, nanos + 60 * SECOND);
    assertTrue(channel.isOpen());
    link.sweep(nanos + 62 * SECOND, nanos + 62 * SECOND);
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

  @Test
  void isFree_whileItIsConnectedAndLittleWaits() {
    assertFalse(link.isFree());
    EmbeddedChannel channel = open();
    assertTrue(link.isFree());
    assertTrue(link.tryAdd(frame(32 << 10, 1)));
    assertFalse(link.isFree());
    link.write();
    assertTrue(link.isFree());
    link.ended(channel);
    assertFalse(link.isFree());
  }
}
