package dev.isogrid.base;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;

/** The file system, with a step that fails until a test repairs it. */
public final class FailingDisk implements FileAccess {
  /** The steps that can fail. */
  public enum Step {
    CREATE,
    WRITE,
    FORCE,
    MOVE,
    FORCE_FOLDER,
    /** Nothing. */
    NONE
  }

  private volatile Step failing = Step.NONE;
  private volatile int failures;
  private volatile int foldersForced;
  private volatile int bytesPerWrite = Integer.MAX_VALUE;

  /** Makes a step fail from now on, and no other one. */
  public void fail(Step step) {
    failing = step;
  }

  /** Makes all steps succeed from now on. */
  public void mend() {
    failing = Step.NONE;
  }

  /** Limits each write to a number of bytes from now on. */
  public void takeAtOnce(int bytesMax) {
    bytesPerWrite = bytesMax;
  }

  /** The number of failures. */
  public int failures() {
    return failures;
  }

  /** The number of forces of folders. */
  public int foldersForced() {
    return foldersForced;
  }

  private synchronized void check(Step step) throws IOException {
    if (step == failing) {
      failures++;
      throw new IOException("No space left on device (" + step + ")");
    }
  }

  @Override
  public FileChannel create(Path file, FileAttribute<?>... attributes) throws IOException {
    check(Step.CREATE);
    return SYSTEM.create(file, attributes);
  }

  @Override
  public int write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
    if (failing == Step.WRITE) { // half of it fits
      ByteBuffer half = bytes.slice(bytes.position(), bytes.remaining() / 2);
      SYSTEM.write(channel, half, position);
    }
    check(Step.WRITE);
    ByteBuffer taken = bytes.slice(bytes.position(), Math.min(bytes.remaining(), bytesPerWrite));
    int written = SYSTEM.write(channel, taken, position);
    bytes.position(bytes.position() + written);
    return written;
  }

  @Override
  public void force(FileChannel channel) throws IOException {
    check(Step.FORCE);
    SYSTEM.force(channel);
  }

  @Override
  public void move(Path draft, Path file) throws IOException {
    check(Step.MOVE);
    SYSTEM.move(draft, file);
  }

  @Override
  public synchronized void forceFolder(Path folder) throws IOException {
    check(Step.FORCE_FOLDER);
    foldersForced++;
    SYSTEM.forceFolder(folder);
  }
}
