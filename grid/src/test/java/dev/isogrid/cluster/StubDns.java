package dev.isogrid.cluster;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A name server that has the same answers whatever the name. */
final class StubDns implements AutoCloseable {
  private static final int HEADER_BYTES = 12;
  private static final int PACKET_BYTES_MAX = 512;
  private static final int TYPE_A = 1;
  private static final int TYPE_SRV = 33;

  /** Response, authoritative, recursion available, no error. */
  private static final int FLAGS = 0x8480;

  /** The name of the question. */
  private static final int NAME = 0xC000 | HEADER_BYTES;

  private final DatagramSocket socket;
  private final List<byte[]> addresses = new ArrayList<>();
  private final Set<Integer> asked = ConcurrentHashMap.newKeySet();

  /** Answers with addresses. */
  StubDns(String... addresses) throws IOException {
    for (String address : addresses) {
      this.addresses.add(InetAddress.getByName(address).getAddress());
    }
    socket = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"));
    Thread.ofVirtual().start(this::answerAll);
  }

  /** Whether it was asked for services. */
  boolean isAskedForServices() {
    return asked.contains(TYPE_SRV);
  }

  String address() {
    return "127.0.0.1:" + socket.getLocalPort();
  }

  private void answerAll() {
    byte[] array = new byte[PACKET_BYTES_MAX];
    while (!socket.isClosed()) {
      try {
        DatagramPacket question = new DatagramPacket(array, array.length);
        socket.receive(question);
        byte[] answer = answer(ByteBuffer.wrap(array, 0, question.getLength()));
        socket.send(new DatagramPacket(answer, answer.length, question.getSocketAddress()));
      } catch (IOException e) {
        if (!socket.isClosed()) {
          throw new AssertionError(e);
        }
      }
    }
  }

  private byte[] answer(ByteBuffer question) throws IOException {
    int end = HEADER_BYTES;
    while (question.get(end) != 0) {
      end += 1 + question.get(end);
    }
    end += 1 + 2 * Short.BYTES;
    int type = question.getShort(end - 2 * Short.BYTES);
    asked.add(type);
    List<byte[]> answers = type == TYPE_A ? addresses : List.of();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(question.getShort(0));
    out.writeShort(FLAGS);
    out.writeShort(1);
    out.writeShort(answers.size());
    out.writeInt(0);
    byte[] asked = new byte[end - HEADER_BYTES];
    question.get(HEADER_BYTES, asked);
    out.write(asked);
    for (byte[] each : answers) {
      out.writeShort(NAME);
      out.writeShort(type);
      out.writeShort(1);
      out.writeInt(0);
      out.writeShort(each.length);
      out.write(each);
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    socket.close();
  }
}
