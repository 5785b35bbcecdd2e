package dev.isogrid.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.isogrid.base.Env;
import dev.isogrid.base.Seeds;
import dev.isogrid.cluster.MembershipMessage.Fetch;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.NodeId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections between nodes without the rest of the nodes. */
class LinksTest {
  private static final NodeId ONE = new NodeId(0, 1);
  private static final NodeId OTHER = new NodeId(0, 2);

  private final Env env = Env.system();
  private final MembershipCodec codec = new MembershipCodec();
  private final Queue<NodeId> heard = new ConcurrentLinkedQueue<>();
  private final Queue<NodeId> gone = new ConcurrentLinkedQueue<>();
  private final Queue<String> refusals = new ConcurrentLinkedQueue<>();

  /** Notes who sends messages, and whose connections have ended. */
  private class Recorder implements LinkFrames.Handler {
    @Override
    public void onPacket(LinkHello of, byte[] packet) {}

    @Override
    public void onMessage(LinkHello of, byte[] array, int length, boolean isOwn) {
      heard.add(of.from());
    }

    @Override
    public void onRead(LinkHello of) {}

    @Override
    public void onLastClosed(NodeId node) {
      gone.add(node);
    }

    @Override
    public void onRefusal(String address, String reason) {
      refusals.add(reason);
    }

    @Override
    public void onFault(String address, Throwable fault) {}

    @Override
    public void onFailure(String address, String reason) {}
  }

  @AfterEach
  void close() {
    env.scheduler().close();
  }

  private Links open() throws IOException {
    Links links = new Links(new Recorder(), codec, null, env);
    links.bind(InetAddress.getLoopbackAddress(), 0, 0);
    return links;
  }

  private void send(Links from, boolean isStream) {
    Fetch message = new Fetch(1);
    assertTrue(from.tryAdd(OTHER, isStream, Frame.of(message, codec.sizeBytes(message))));
    from.flush();
  }

  @Test
  void end_ofTheLastConnection_isToldOnce() throws Exception {
    try (Links other = open()) {
      other.start(OTHER, _ -> null);
      try (Links one = open()) {
        one.start(ONE, node -> node.equals(OTHER) ? requireNonNull(other.address()) : null);
        send(one, false);
        send(one, true);
        Await.until("messages by both connections", () -> heard.size() == 2);
        assertEquals(List.of(), List.copyOf(gone));
      }
      Await.until("the end of the last one", () -> !gone.isEmpty());
      assertEquals(List.of(ONE), List.copyOf(gone));
    }
  }

  /** Keeps messages, each in an array of its own. */
  private final class Keeper extends Recorder {
    private final List<byte[]> messages = new ArrayList<>();

    @Override
    public void onMessage(LinkHello of, byte[] array, int length, boolean isOwn) {
      messages.add(isOwn ? array : Arrays.copyOf(array, length));
    }
  }

  private EmbeddedChannel incoming(LinkFrames.Handler handler) {
    byte[] scratch = new byte[LinkFrames.SCRATCH_BYTES];
    EmbeddedChannel channel = new EmbeddedChannel(new LinkFrames(handler, scratch, (_, _) -> true));
    channel.writeInbound(helloAndMessage());
    return channel;
  }

  @Test
  void framesThatComeInPieces_areWholeAndInTheirOrder() {
    Seeds.run(
        30,
        random -> {
          Keeper keeper = new Keeper();
          EmbeddedChannel channel = incoming(keeper);
          keeper.messages.clear();
          List<byte[]> sent = new ArrayList<>();
          ByteBuf all = Unpooled.buffer();
          for (int i = 0; i < 8; i++) {
            byte[] message = new byte[random.nextInt(1 << (random.nextInt(22) + 1))];
            random.nextBytes(message);
            sent.add(message);
            all.writeInt(message.length).writeBytes(message);
          }
          while (all.isReadable()) {
            int piece = 1 + random.nextInt(1 << (random.nextInt(17) + 1));
            channel.writeInbound(all.readRetainedSlice(Math.min(piece, all.readableBytes())));
          }
          all.release();
          assertEquals(sent.size(), keeper.messages.size());
          for (int i = 0; i < sent.size(); i++) {
            assertArrayEquals(sent.get(i), keeper.messages.get(i));
          }
          assertFalse(channel.finish());
        });
  }

  /** A length costs the receiver little before the bytes come. */
  @Test
  void frameThatIsSaidToBeLong_takesLittleMemoryBeforeItComes() {
    EmbeddedChannel channel = incoming(new Keeper());
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    channel.writeInbound(Unpooled.buffer().writeInt(48 << 20).writeBytes(new byte[100]));
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(channel.isOpen());
    assertTrue(allocated < 1 << 20, () -> "allocated=" + allocated);
  }

  private EmbeddedChannel incoming(boolean isAdmitted) {
    byte[] scratch = new byte[LinkFrames.SCRATCH_BYTES];
    return new EmbeddedChannel(new LinkFrames(new Recorder(), scratch, (_, _) -> isAdmitted));
  }

  private ByteBuf helloAndMessage() {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    ByteBuf out = Unpooled.buffer().writeInt(0);
    new LinkHello(LinkHello.Purpose.URGENT, ONE, OTHER, address).write(out);
    out.setInt(0, out.readableBytes() - LinkFrames.HEADER_BYTES);
    return message(out);
  }

  private ByteBuf message(ByteBuf out) {
    byte[] message = codec.encode(new Fetch(1));
    return out.writeInt(message.length).writeBytes(message);
  }

  /** Another process listens where a node did; nothing is wrong then. */
  @Test
  void framesBehindAHelloForAnotherNode_areDroppedWithoutAWord() {
    EmbeddedChannel channel = incoming(false);
    channel.writeInbound(helloAndMessage());
    assertFalse(channel.isOpen());
    assertEquals(List.of(), List.copyOf(refusals));
    assertEquals(List.of(), List.copyOf(heard));
  }

  @Test
  void framesOfAStranger_areRefusedOnce() {
    EmbeddedChannel channel = incoming(true);
    channel.writeInbound(message(message(Unpooled.buffer())));
    assertFalse(channel.isOpen());
    assertEquals(List.of("not of a node"), List.copyOf(refusals));
  }

  @Test
  void sweep_ofAConnectionThatIsSilentForLong_closesIt() {
    EmbeddedChannel channel = incoming(true);
    LinkFrames frames = channel.pipeline().get(LinkFrames.class);
    sweep(frames, channel);
    channel.writeInbound(helloAndMessage());
    assertEquals(List.of(ONE), List.copyOf(heard));
    sweep(frames, channel);
    assertTrue(channel.isOpen());
    frames.sweep(channel);
    assertFalse(channel.isOpen());
  }

  private static void sweep(LinkFrames frames, EmbeddedChannel channel) {
    for (int i = 0; i < LinkFrames.SILENT_SWEEPS_MAX; i++) {
      frames.sweep(channel);
    }
  }
}
