package dev.isogrid.server;

import dev.isogrid.base.FileAccess;
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

  /** Makes a step fail from now on, and no other one. */
  public void fail(Step step) {
    failing = step;
  }

  /** Makes all steps succeed from now on. */
  public void mend() {
    failing = Step.NONE;
  }

  /** The number of failures. */
  public int failures() {
    return failures;
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
    return SYSTEM.write(channel, bytes, position);
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
  public void forceFolder(Path folder) throws IOException {
    check(Step.FORCE_FOLDER);
    SYSTEM.forceFolder(folder);
  }
}
