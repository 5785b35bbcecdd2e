package dev.isogrid.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RolloverFailure;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.rolling.helper.CompressionMode;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Numbers the full files of a log: {@code FILE.1} is the newest one, and the oldest one is removed.
 * Logback's own policy has at most 20 files, and a pattern in place of a path. Not thread-safe; the
 * appender calls it under a lock.
 */
final class NumberedFiles extends ContextAwareBase
    implements RollingPolicy, TriggeringPolicy<ILoggingEvent> {
  private final Path path;
  private final long sizeMax;
  private final int filesMax;
  private boolean isStarted;

  /**
   * Creates the files of an appender.
   *
   * @param path the file that is written
   * @param sizeMax the size of a full file, in bytes; the last line may exceed it
   * @param filesMax the most files, 1 or more
   */
  NumberedFiles(Path path, long sizeMax, int filesMax) {
    this.path = path;
    this.sizeMax = sizeMax;
    this.filesMax = filesMax;
  }

  @Override
  public boolean isTriggeringEvent(File file, ILoggingEvent event) {
    return file.length() >= sizeMax;
  }

  @Override
  public void rollover() {
    try {
      for (int i = filesMax - 1; i > 0; i--) {
        Path newer = numbered(i - 1);
        if (Files.exists(newer)) {
          Files.move(newer, numbered(i), StandardCopyOption.REPLACE_EXISTING);
        }
      }
      if (filesMax == 1) {
        Files.deleteIfExists(path);
      }
    } catch (IOException failure) {
      throw new RolloverFailure("full log file not renamed: file=" + path, failure);
    }
  }

  private Path numbered(int number) {
    return number == 0 ? path : path.resolveSibling(path.getFileName() + "." + number);
  }

  @Override
  public String getActiveFileName() {
    return path.toString();
  }

  @Override
  public CompressionMode getCompressionMode() {
    return CompressionMode.NONE;
  }

  @Override
  public void setParent(FileAppender<?> appender) {}

  @Override
  public void start() {
    isStarted = true;
  }

  @Override
  public void stop() {
    isStarted = false;
  }

  @Override
  public boolean isStarted() {
    return isStarted;
  }
}
