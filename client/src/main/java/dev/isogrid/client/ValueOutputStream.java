package dev.isogrid.client;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value that is written portion by portion. It is not visible before {@link #close}, which stores
 * it if its condition holds; {@link #abort} abandons it. Three portions are in memory at most: two
 * on their way, and the one that is filled. A value that fits one portion takes one round trip. Not
 * thread-safe.
 *
 * <p>Writing and closing fail with an {@link IOException}, whose cause says why, if the connection
 * is lost, the server does not answer in time, or it refuses the value. Nothing is stored then,
 * except maybe if the answer to the last portion was lost. After a failure close does nothing.
 *
 * <p>Since close stores, code that may fail between two writes should abort then; the server
 * forgets a stream that is not used for some minutes.
 */
public final class ValueOutputStream extends OutputStream {
  /** The states of the stream. */
  private enum State {
    /** It takes bytes. */
    OPEN,
    /** It was closed, and the outcome is known. */
    CLOSED,
    /** It was given up, or failed. */
    ENDED
  }

  private static final byte[] NOTHING = {};

  private final StreamedPut put;
  private final int portionSize;
  private byte[] portion;
  private int filled;
  private State state = State.OPEN;
  private boolean isStored;
  private @Nullable ValueStream stream;

  /** The requests under way, oldest first, and the arrays that they read. */
  private @Nullable Operation<Integer> first;

  private @Nullable Operation<Integer> second;
  private byte[] firstBytes = NOTHING;
  private byte[] secondBytes = NOTHING;

  ValueOutputStream(StreamedPut put, int portionSize) {
    this.put = put;
    this.portionSize = portionSize;
    this.portion = new byte[portionSize];
  }

  private void checkOpen() throws IOException {
    if (state != State.OPEN) {
      throw new IOException("the stream is closed, or has failed");
    }
  }

  @Override
  public void write(int value) throws IOException {
    checkOpen();
    makeRoom();
    portion[filled++] = (byte) value;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    checkOpen();
    int end = offset + length;
    for (int next = offset; next < end; ) {
      makeRoom();
      int count = Math.min(end - next, portionSize - filled);
      System.arraycopy(bytes, next, portion, filled, count);
      filled += count;
      next += count;
    }
  }

  /** A full portion is sent only when more comes, so that the last one is never empty. */
  private void makeRoom() throws IOException {
    if (filled < portionSize) {
      return;
    }
    try {
      ValueStream begun = stream;
      if (begun == null) {
        begun = Answers.await(put.start());
        stream = begun;
      }
      byte[] free = awaitFirst();
      second = begun.write(portion, filled, false);
      secondBytes = portion;
      portion = free.length == 0 ? new byte[portionSize] : free;
      filled = 0;
    } catch (HotRodClientException cause) {
      throw failed(cause);
    }
  }

  /** Waits for the oldest portion on its way. Returns its array, which is not read any more. */
  private byte[] awaitFirst() {
    Operation<Integer> oldest = first;
    byte[] free = firstBytes;
    if (oldest != null) {
      Answers.await(oldest);
    }
    first = second;
    firstBytes = secondBytes;
    second = null;
    secondBytes = NOTHING;
    return free;
  }

  private IOException failed(HotRodClientException cause) {
    abort();
    return new IOException("value can't be written; write it again from the beginning", cause);
  }

  /**
   * Sends the rest, and stores the value if its condition holds; {@link #isStored} returns whether
   * it did. Does nothing if the stream was closed or aborted, or has failed.
   */
  @Override
  public void close() throws IOException {
    if (state != State.OPEN) {
      return;
    }
    try {
      isStored = StreamedPut.isStored(Answers.await(sendLast()));
      state = State.CLOSED;
    } catch (HotRodClientException cause) {
      throw failed(cause);
    }
  }

  private Operation<Integer> sendLast() {
    ValueStream begun = stream;
    if (begun == null) {
      return put.whole(Arrays.copyOf(portion, filled));
    }
    awaitFirst();
    awaitFirst();
    return begun.write(portion, filled, true);
  }

  /** Gives the value up: nothing is stored. Does not wait; does nothing after close. */
  public void abort() {
    if (state == State.OPEN) {
      state = State.ENDED;
      if (stream != null) {
        stream.endWrite();
      }
    }
  }

  /**
   * Whether the value was stored: not if its condition did not hold.
   *
   * @throws IllegalStateException if the stream was not closed, or has failed
   */
  public boolean isStored() {
    if (state != State.CLOSED) {
      throw new IllegalStateException("the stream was not closed, or has failed");
    }
    return isStored;
  }
}
