package dev.isogrid.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value that is read portion by portion, in its state at the beginning of the read, with the
 * version and times of its entry. Two portions are in memory: the current one, and the next one.
 * Not thread-safe; must be closed.
 *
 * <p>Reading fails with an {@link IOException}, whose cause says why, if the connection is lost,
 * the server does not answer in time, or it ended the stream, which it does when a stream has not
 * been used for some minutes.
 */
public final class ValueInputStream extends InputStream implements VersionedMetadata {
  private final ValueStream stream;
  private final MetadataValue<Boolean> metadata;
  private Portion portion;
  private int position;
  private @Nullable Operation<Portion> ahead;
  private boolean isClosed;

  ValueInputStream(StartReadOperation.Started started) {
    stream = started.stream();
    metadata = started.metadata();
    portion = started.first();
    askAhead();
  }

  private void askAhead() {
    ahead = portion.isLast ? null : stream.next();
  }

  /** Makes a byte available; false at the end. */
  private boolean fill() throws IOException {
    if (isClosed) {
      throw new IOException("the stream is closed");
    }
    while (position == portion.bytes.length) {
      Operation<Portion> coming = ahead;
      if (coming == null) {
        return false;
      }
      try {
        portion = Answers.await(coming);
        position = 0;
        askAhead();
      } catch (HotRodClientException cause) {
        throw new IOException(
            "value can't be read: cache=%s; read it again from the beginning"
                .formatted(stream.format().cache().name()),
            cause);
      }
    }
    return true;
  }

  @Override
  public int read() throws IOException {
    return fill() ? portion.bytes[position++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, portion.bytes.length - position);
    System.arraycopy(portion.bytes, position, bytes, offset, count);
    position += count;
    return count;
  }

  @Override
  public int available() {
    return isClosed ? 0 : portion.bytes.length - position;
  }

  /** Lets the server forget the value. Does not wait for it. */
  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      stream.endRead();
    }
  }

  @Override
  public long version() {
    return metadata.version();
  }

  @Override
  public long createdMillis() {
    return metadata.createdMillis();
  }

  @Override
  public long lifespanMillis() {
    return metadata.lifespanMillis();
  }

  @Override
  public int lifespanSeconds() {
    return metadata.lifespanSeconds();
  }

  @Override
  public long lastUsedMillis() {
    return metadata.lastUsedMillis();
  }

  @Override
  public long maxIdleMillis() {
    return metadata.maxIdleMillis();
  }

  @Override
  public int maxIdleSeconds() {
    return metadata.maxIdleSeconds();
  }
}
