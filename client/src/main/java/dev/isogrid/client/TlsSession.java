package dev.isogrid.client;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/** Encrypts and decrypts the bytes of one {@link Wire}. In the turn. */
final class TlsSession {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SSLEngine engine;
  private final int plainBytes;
  private boolean isAgreed;

  /** Encrypted and not sent yet, from the position to the limit. */
  private ByteBuffer outgoing;

  /** Received and not decrypted yet, from 0 to the position. */
  private ByteBuffer incoming;

  TlsSession(SSLEngine engine) {
    this.engine = engine;
    this.plainBytes = engine.getSession().getApplicationBufferSize();
    this.outgoing = ByteBuffer.allocate(engine.getSession().getPacketBufferSize()).limit(0);
    this.incoming = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
  }

  /** Whether both sides have agreed on keys. */
  boolean isAgreed() {
    return isAgreed;
  }

  /** Begins the handshake. */
  void begin(Wire wire) throws IOException {
    engine.beginHandshake();
    agree(wire);
  }

  /** Takes all steps of the handshake that are possible now, and sends its bytes. */
  private void agree(Wire wire) throws IOException {
    while (true) {
      HandshakeStatus status = engine.getHandshakeStatus();
      if (status == HandshakeStatus.NEED_TASK) {
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
          task.run();
          task = engine.getDelegatedTask();
        }
      } else if (status == HandshakeStatus.NEED_WRAP) {
        if (!flush(wire)) {
          return;
        }
        wrap(NOTHING.duplicate());
        flush(wire);
      } else {
        isAgreed |= status == HandshakeStatus.NOT_HANDSHAKING;
        return;
      }
    }
  }

  /** Encrypts into the empty outgoing buffer. */
  private SSLEngineResult wrap(ByteBuffer plain) throws SSLException {
    outgoing.clear();
    SSLEngineResult result = engine.wrap(plain, outgoing);
    while (result.getStatus() == Status.BUFFER_OVERFLOW) {
      outgoing = ByteBuffer.allocate(2 * outgoing.capacity());
      result = engine.wrap(plain, outgoing);
    }
    outgoing.flip();
    return result;
  }

  /** Sends encrypted bytes; false if the socket does not take all of it. */
  boolean flush(Wire wire) throws IOException {
    while (outgoing.hasRemaining()) {
      if (!wire.isWritable()) {
        return false;
      }
      int start = outgoing.position();
      outgoing.position(start + wire.send(outgoing.array(), start, outgoing.limit()));
    }
    return true;
  }

  /** The socket takes more again. */
  void writable(Wire wire) throws IOException {
    if (flush(wire) && !isAgreed) {
      agree(wire);
    }
  }

  /** Sends as many of the written bytes as the socket takes. */
  void write(RequestWriter from, Wire wire) throws IOException {
    while (flush(wire) && isAgreed && !from.isEmpty()) {
      SSLEngineResult result =
          wrap(ByteBuffer.wrap(from.array(), from.start(), from.end() - from.start()));
      from.taken(result.bytesConsumed());
      if (result.getStatus() == Status.CLOSED) {
        throw new EOFException();
      }
      if (result.bytesConsumed() == 0) {
        agree(wire);
      }
    }
  }

  /** Decrypts the bytes that have arrived. */
  void read(ByteBuffer came, ResponseReader into, Wire wire) throws IOException {
    if (incoming.remaining() < came.remaining()) {
      incoming = ByteBuffer.allocate(incoming.position() + came.remaining()).put(incoming.flip());
    }
    incoming.put(came);
    incoming.flip();
    try {
      while (unwrap(into, wire)) {
        // one record after the other
      }
    } finally {
      incoming.compact();
    }
  }

  /** Decrypts one record; false if there is no whole one. */
  private boolean unwrap(ResponseReader into, Wire wire) throws IOException {
    SSLEngineResult result = unwrap(into, plainBytes);
    for (int size = 2 * plainBytes; result.getStatus() == Status.BUFFER_OVERFLOW; size *= 2) {
      result = unwrap(into, size);
    }
    into.appended(result.bytesProduced());
    if (result.getStatus() == Status.CLOSED) {
      throw new EOFException();
    }
    if (result.getStatus() != Status.OK) {
      return false;
    }
    agree(wire);
    return result.bytesConsumed() > 0 || result.bytesProduced() > 0;
  }

  private SSLEngineResult unwrap(ResponseReader into, int room) throws SSLException {
    int start = into.room(room);
    return engine.unwrap(
        incoming, ByteBuffer.wrap(into.array(), start, into.array().length - start));
  }

  /** Sends the closing message of TLS, as far as the socket takes it. */
  void close(Wire wire) {
    engine.closeOutbound();
    try {
      if (isAgreed && flush(wire)) {
        wrap(NOTHING.duplicate());
        flush(wire);
      }
    } catch (IOException ignored) { // tidy: the connection ends anyway
      // a server treats the end of the socket as the end
    }
  }
}
