package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;
import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * The first frame of a connection between nodes.
 *
 * @param purpose what follows
 * @param from the node that connects
 * @param to the node that it looks for, or null if it asks whoever listens
 * @param listensAt where the node that connects can be reached
 */
record LinkHello(Purpose purpose, NodeId from, @Nullable NodeId to, InetSocketAddress listensAt) {
  /** The purpose of a connection. */
  enum Purpose {
    /** What JGroups sends to addresses: discovery, views, heartbeats. */
    PACKETS(0),
    /** Messages that overtake streams. */
    URGENT(1),
    /** Messages of streams. */
    STREAM(2);

    private final int code;

    Purpose(int code) {
      this.code = code;
    }

    static Purpose of(int code) throws MalformedMessageException {
      return switch (code) {
        case 0 -> PACKETS;
        case 1 -> URGENT;
        case 2 -> STREAM;
        default -> throw new MalformedMessageException("no such purpose: purpose=" + code);
      };
    }
  }

  /** More than any hello has. */
  static final int BYTES_MAX = 64;

  private static final int MAGIC = 0x49736F4C;
  private static final int VERSION = 1;

  private static final NodeId ANYBODY = new NodeId(0, 0);

  /** Appends magic, version, purpose, both nodes, port and address, 43 or 55 bytes. */
  void write(ByteBuf out) {
    NodeId wanted = to == null ? ANYBODY : to;
    byte[] address = listensAt.getAddress().getAddress();
    out.writeInt(MAGIC).writeByte(VERSION).writeByte(purpose.code);
    out.writeLong(from.high()).writeLong(from.low());
    out.writeLong(wanted.high()).writeLong(wanted.low());
    out.writeShort(listensAt.getPort()).writeByte(address.length).writeBytes(address);
  }

  /**
   * Reads all of a buffer.
   *
   * @throws MalformedMessageException if it is no hello of this version
   */
  static LinkHello read(ByteBuf in) throws MalformedMessageException {
    try {
      if (in.readInt() != MAGIC) {
        throw new MalformedMessageException("not of a node");
      }
      int version = in.readByte();
      if (version != VERSION) {
        throw new MalformedMessageException(
            "connection of another version: version=%d, known=%d".formatted(version, VERSION));
      }
      Purpose purpose = Purpose.of(in.readByte());
      NodeId from = new NodeId(in.readLong(), in.readLong());
      NodeId wanted = new NodeId(in.readLong(), in.readLong());
      int port = in.readUnsignedShort();
      byte[] address = new byte[in.readByte() == 4 ? 4 : 16];
      in.readBytes(address);
      return new LinkHello(
          purpose,
          from,
          wanted.equals(ANYBODY) ? null : wanted,
          new InetSocketAddress(InetAddress.getByAddress(address), port));
    } catch (IndexOutOfBoundsException | UnknownHostException tooShort) {
      throw new MalformedMessageException("hello too short");
    }
  }
}
