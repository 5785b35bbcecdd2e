package dev.isogrid.server.rest;

import dev.isogrid.api.FatalGridException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes a file, part by part. Opens it for each part, so that no file stays open when a client
 * disconnects. Not thread-safe.
 */
final class FileParts implements BodyParts {
  /** Bytes of a part: a few packets, and one read of the disk. */
  private static final int PART_SIZE = 1 << 16;

  private final Path file;
  private final boolean chunked;
  private long position;

  /**
   * Begins at the start of a file.
   *
   * @param chunked whether parts are framed as chunks of HTTP/1.1
   */
  FileParts(Path file, boolean chunked) {
    this.file = file;
    this.chunked = chunked;
  }

  @Override
  public boolean writePart(ByteBuf out) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      int length = (int) Math.min(PART_SIZE, Math.max(0, channel.size() - position));
      if (chunked && length > 0) {
        ByteBufUtil.writeAscii(out, Integer.toHexString(length) + "\r\n");
      }
      write(out, channel, length);
      if (chunked && length > 0) {
        ByteBufUtil.writeAscii(out, "\r\n");
      }
      boolean isLast = position >= channel.size();
      if (isLast && chunked) {
        ByteBufUtil.writeAscii(out, "0\r\n\r\n");
      }
      return isLast;
    } catch (IOException failure) {
      throw new FatalGridException(
          "file can't be read: file=%s, offset=%d, reason=%s".formatted(file, position, failure),
          failure);
    }
  }

  private void write(ByteBuf out, FileChannel channel, int length) throws IOException {
    for (int left = length; left > 0; ) {
      int read = out.writeBytes(channel, position, left);
      if (read <= 0) {
        throw new IOException("cut off while it was read");
      }
      position += read;
      left -= read;
    }
  }
}
