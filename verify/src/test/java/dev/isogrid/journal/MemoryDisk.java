package dev.isogrid.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A disk in memory, which never fails. Thread-safe. */
public final class MemoryDisk implements Disk {
  private final Map<String, Content> files = new HashMap<>();

  private static final class Content implements DiskFile {
    private byte[] bytes = {};

    @Override
    public synchronized long size() {
      return bytes.length;
    }

    @Override
    public synchronized void read(ByteBuffer target, long position) {
      int count = (int) Math.min(target.remaining(), bytes.length - position);
      target.put(bytes, (int) position, Math.max(0, count));
    }

    @Override
    public synchronized void write(ByteBuffer source, long position) {
      int end = (int) position + source.remaining();
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length, end));
      source.get(bytes, (int) position, source.remaining());
    }

    @Override
    public synchronized void truncate(long size) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(size, bytes.length));
    }

    @Override
    public void force() {}

    @Override
    public void close() {}
  }

  @Override
  public synchronized List<String> names() {
    return List.copyOf(files.keySet());
  }

  @Override
  public synchronized boolean exists(String name) {
    return files.containsKey(name);
  }

  @Override
  public synchronized DiskFile create(String name) {
    Content created = new Content();
    files.put(name, created);
    return created;
  }

  @Override
  public synchronized DiskFile open(String name) throws IOException {
    return Objects.requireNonNull(files.get(name), name);
  }

  @Override
  public synchronized void delete(String name) {
    files.remove(name);
  }

  @Override
  public void forceNames() {}

  @Override
  public String path(String name) {
    return name;
  }

  @Override
  public void close() {}
}
