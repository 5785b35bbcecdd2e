package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Reads what comes by a connection that another node opened: its hello, then frames. */
final class LinkFrames extends ByteToMessageDecoder {
  /*
   * frame  length 4, that many bytes
   *
   * The first one is a LinkHello. A connection that sends anything else, or nothing in time, is
   * closed. A frame that is longer than SCRATCH_BYTES and does not come in one piece is read into
   * its own array at once: of its length, or AT_ONCE_BYTES_MAX if that is less. From there on what
   * is kept of it grows with what has come, whatever its length is said to be.
   */

  /** The length of a frame. */
  static final int HEADER_BYTES = 4;

  /** More than a bundle of JGroups ever has. */
  private static final int PACKET_BYTES_MAX = 1 << 20;

  private static final long HELLO_MILLIS_MAX = 5000;

  /** For two minutes: longer than the other side keeps a connection that it does not use. */
  static final int SILENT_SWEEPS_MAX = 120;

  /** The size of the array that shorter messages are read into, one after the other. */
  static final int SCRATCH_BYTES = 32 << 10;

  /** The size of the array that a longer frame begins with; a page of entries is shorter. */
  private static final int AT_ONCE_BYTES_MAX = 384 << 10;

  private static final byte[] NO_FRAME = {};

  /** Gets what came, on the event loop. */
  interface Handler {
    /** A packet of JGroups came. */
    void onPacket(LinkHello of, byte[] packet);

    /**
     * A message came.
     *
     * @param array begins with the message; it may be used again for the next one
     * @param isOwn whether nobody uses the array again, so that it may be kept
     */
    void onMessage(LinkHello of, byte[] array, int length, boolean isOwn);

    /** All that was read of a connection was handed over; there was something. */
    void onRead(LinkHello of);

    /** This node takes no connections any more, although it was not closed. */
    default void onPortClosed() {}

    /** The last connection that a node had opened has ended: its process may have. */
    default void onLastClosed(NodeId node) {}

    /** A connection of an address is closed, since it is none of a node. */
    void onRefusal(String address, String reason);

    /** A connection of an address is closed, since this node failed at what came. */
    void onFault(String address, Throwable fault);

    /** A connection to an address has failed for another reason than that nobody listens. */
    void onFailure(String address, String reason);
  }

  private final Handler handler;
  private final byte[] scratch;

  /** Decides whether a connection may go on after its hello. */
  private final BiPredicate<Channel, LinkHello> admission;

  private @Nullable LinkHello hello;
  private boolean hasRead;

  /** The begin of a frame whose end has not come, or {@link #NO_FRAME}. */
  private byte[] begun = NO_FRAME;

  /** The length of that frame; 0 if there is none. */
  private int begunLength;

  /** The bytes of it that have come. */
  private int begunBytes;

  /** Whether the connection is being closed, since this node does not go on with it. */
  private boolean isRefused;

  private int silentSweeps;

  /**
   * Waits for a hello.
   *
   * @param scratch that of the event loop, {@link #SCRATCH_BYTES} long
   */
  LinkFrames(Handler handler, byte[] scratch, BiPredicate<Channel, LinkHello> admission) {
    this.handler = handler;
    this.scratch = scratch;
    this.admission = admission;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    ctx.executor()
        .schedule(
            () -> {
              if (hello == null && ctx.channel().isActive()) {
                refuse(ctx, "says nothing");
              }
            },
            HELLO_MILLIS_MAX,
            TimeUnit.MILLISECONDS);
    ctx.fireChannelActive();
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (isRefused) {
      in.skipBytes(in.readableBytes()); // what came before the connection was closed
      return;
    }
    LinkHello known = hello;
    if (known != null && begunLength > 0) {
      goOn(known, in);
      return;
    }
    if (in.readableBytes() < HEADER_BYTES) {
      return;
    }
    int length = in.getInt(in.readerIndex());
    if (length < 0 || length > bytesMax()) {
      refuse(ctx, "frame not valid: length=%d, max=%d".formatted(length, bytesMax()));
      return;
    }
    if (in.readableBytes() - HEADER_BYTES < length) {
      if (known != null && length > SCRATCH_BYTES) {
        in.skipBytes(HEADER_BYTES);
        begun = new byte[Math.min(length, AT_ONCE_BYTES_MAX)];
        begunLength = length;
        goOn(known, in);
      }
      return;
    }
    in.skipBytes(HEADER_BYTES);
    if (known == null) {
      greet(ctx, in.readSlice(length));
      return;
    }
    boolean isOwn = known.purpose() == LinkHello.Purpose.PACKETS || length > SCRATCH_BYTES;
    byte[] frame = isOwn ? new byte[length] : scratch;
    in.readBytes(frame, 0, length);
    handOver(known, frame, length, isOwn);
  }

  /** Reads more of the frame that has begun. */
  private void goOn(LinkHello known, ByteBuf in) {
    int more = Math.min(in.readableBytes(), begunLength - begunBytes);
    int needed = begunBytes + more;
    if (needed > begun.length) {
      int doubled = (int) Math.min(begunLength, 2L * begun.length);
      begun = Arrays.copyOf(begun, Math.max(needed, doubled));
    }
    in.readBytes(begun, begunBytes, more);
    begunBytes = needed;
    if (begunBytes == begunLength) {
      byte[] frame = begun;
      begun = NO_FRAME;
      begunLength = 0;
      begunBytes = 0;
      handOver(known, frame, frame.length, true);
    }
  }

  private void handOver(LinkHello known, byte[] frame, int length, boolean isOwn) {
    hasRead = true;
    if (known.purpose() == LinkHello.Purpose.PACKETS) {
      handler.onPacket(known, frame);
    } else {
      handler.onMessage(known, frame, length, isOwn);
    }
  }

  private int bytesMax() {
    LinkHello known = hello;
    if (known == null) {
      return LinkHello.BYTES_MAX;
    }
    return known.purpose() == LinkHello.Purpose.PACKETS
        ? PACKET_BYTES_MAX
        : MessageLayout.MESSAGE_BYTES_MAX;
  }

  private void greet(ChannelHandlerContext ctx, ByteBuf bytes) {
    try {
      LinkHello said = LinkHello.read(bytes);
      if (admission.test(ctx.channel(), said)) {
        hello = said;
      } else {
        end(ctx);
      }
    } catch (MalformedMessageException e) {
      refuse(ctx, String.valueOf(e.getMessage()));
    }
  }

  private void refuse(ChannelHandlerContext ctx, String reason) {
    handler.onRefusal(String.valueOf(ctx.channel().remoteAddress()), reason);
    end(ctx);
  }

  /** Closes the connection; what came with the frame that is refused means nothing. */
  private void end(ChannelHandlerContext ctx) {
    isRefused = true;
    ctx.close();
  }

  /** What a decoder failed for. */
  static Throwable reason(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof DecoderException && cause != null ? cause : failure;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    silentSweeps = 0;
    super.channelRead(ctx, message);
  }

  /** Closes the connection if nothing came for many calls of this. On the event loop. */
  void sweep(Channel channel) {
    if (++silentSweeps > SILENT_SWEEPS_MAX) {
      channel.close(); // its node is gone without a word
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    LinkHello known = hello;
    if (hasRead && known != null) {
      hasRead = false;
      handler.onRead(known);
    }
    super.channelReadComplete(ctx);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    Throwable reason = reason(cause);
    if (reason instanceof IOException && !(reason instanceof SSLException)) {
      ctx.close(); // a node that ended, or whose connection did
    } else if (reason instanceof SSLException) {
      refuse(ctx, reason.toString());
    } else {
      handler.onFault(String.valueOf(ctx.channel().remoteAddress()), reason);
      ctx.close();
    }
  }
}
