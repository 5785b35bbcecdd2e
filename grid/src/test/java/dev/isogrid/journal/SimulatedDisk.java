package dev.isogrid.journal;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that fails, fills, loses power, and then has forgotten any part of what was not
 * forced. For one thread.
 */
public final class SimulatedDisk implements Disk {
  /** The bytes that a disk writes completely or not at all. */
  private static final int SECTOR_BYTES = 64;

  private final RandomGenerator random;
  private Map<String, Inode> names = new TreeMap<>();
  private Map<String, Inode> durableNames = new TreeMap<>();
  private final List<String> changedNames = new ArrayList<>();
  private int stepsLeft = Integer.MAX_VALUE;
  private int steps;
  private double failureRate;
  private long capacity = Long.MAX_VALUE;
  private boolean isOff;
  private Runnable reading = () -> {};
  private Runnable forcing = () -> {};
  private String unreadable = "";

  /** An empty disk. */
  public SimulatedDisk(RandomGenerator random) {
    this.random = random;
  }

  /** The power went off. */
  public static final class PowerLoss extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Lets the power go off at a step from now on, 1 for the next one. */
  public void losePowerAt(int step) {
    stepsLeft = step;
  }

  /** The steps so far. */
  public int steps() {
    return steps;
  }

  /** Runs something with each read from now on. */
  public void whileReading(Runnable task) {
    reading = task;
  }

  /** Runs something with each force from now on. */
  void whileForcing(Runnable task) {
    forcing = task;
  }

  /** Lets reads of a file fail from now on; of none if the name is empty. */
  void unreadable(String name) {
    unreadable = name;
  }

  /** Lets that part of the steps fail from now on. */
  public void failAt(double rate) {
    failureRate = rate;
  }

  /** Lets files have so many bytes together from now on. */
  public void limit(long bytes) {
    capacity = bytes;
  }

  /** The bytes of all files. */
  public long bytes() {
    return names.values().stream().mapToLong(inode -> inode.content.size).sum();
  }

  /** Ends the process, but not the system. */
  public void killProcess() {
    recover();
  }

  /** Ends everything; what was not forced is there or not, piece by piece. */
  public void losePower() {
    for (String name : changedNames) {
      if (random.nextBoolean()) {
        Inode inode = names.get(name);
        if (inode == null) {
          durableNames.remove(name);
        } else {
          durableNames.put(name, inode);
        }
      }
    }
    changedNames.clear();
    durableNames.values().forEach(inode -> inode.losePower(random));
    names = new TreeMap<>(durableNames);
    recover();
  }

  private void recover() {
    isOff = false;
    stepsLeft = Integer.MAX_VALUE;
    failureRate = 0;
    capacity = Long.MAX_VALUE;
  }

  /** Returns another disk with the same files. */
  SimulatedDisk copy() {
    SimulatedDisk copy = new SimulatedDisk(random);
    names.forEach((name, inode) -> {
      Inode same = new Inode();
      same.content.set(inode.content);
      same.durable.set(inode.content);
      copy.names.put(name, same);
    });
    copy.durableNames = new TreeMap<>(copy.names);
    return copy;
  }

  /** Changes a bit of a byte of a file; returns which one. */
  int damage(String name, int offset) {
    int bit = 1 << random.nextInt(8);
    flip(name, offset, bit);
    return bit;
  }

  /** Changes a given bit of a byte of a file. */
  void flip(String name, int offset, int bit) {
    Inode inode = requireNonNull(names.get(name));
    inode.content.bytes[Objects.checkIndex(offset, inode.content.size)] ^= (byte) bit;
    if (inode.unforced.isEmpty()) {
      inode.durable.set(inode.content);
    }
  }

  /** Cuts a file off, as a process that is killed leaves it. */
  public void truncate(String name, int bytes) {
    Inode inode = requireNonNull(names.get(name));
    inode.content.truncate(bytes);
    inode.durable.set(inode.content);
  }

  /** A copy of the bytes of a file. */
  public byte[] content(String name) {
    Content content = requireNonNull(names.get(name)).content;
    return Arrays.copyOf(content.bytes, content.size);
  }

  /** Where the zeros begin that are behind all other bytes of a file. */
  public int zerosBegin(String name) {
    byte[] content = content(name);
    int end = content.length;
    while (end > 0 && content[end - 1] == 0) {
      end--;
    }
    return end;
  }

  private boolean step(boolean mayFail) throws IOException {
    steps++;
    if (isOff || --stepsLeft <= 0) {
      isOff = true;
      throw new PowerLoss();
    }
    boolean fails = mayFail && failureRate > 0 && random.nextDouble() < failureRate;
    if (fails && random.nextBoolean()) {
      throw new IOException("Input/output error");
    }
    return fails;
  }

  private static void failLate(boolean fails) throws IOException {
    if (fails) {
      throw new IOException("Input/output error");
    }
  }

  @Override
  public List<String> names() throws IOException {
    return List.copyOf(names.keySet());
  }

  @Override
  public DiskFile create(String name) throws IOException {
    boolean fails = step(true);
    Inode inode = names.get(name);
    if (inode == null) {
      inode = new Inode();
      names.put(name, inode);
      changedNames.add(name);
    } else {
      inode.change(new Change(0, null));
    }
    failLate(fails);
    return new OpenFile(name, inode);
  }

  @Override
  public boolean exists(String name) {
    return names.containsKey(name);
  }

  @Override
  public DiskFile open(String name) throws IOException {
    step(false);
    Inode inode = names.get(name);
    if (inode == null) {
      throw new IOException("no such file: " + name);
    }
    return new OpenFile(name, inode);
  }

  @Override
  public void delete(String name) throws IOException {
    boolean fails = step(true);
    if (names.remove(name) != null) {
      changedNames.add(name);
    }
    failLate(fails);
  }

  @Override
  public void forceNames() throws IOException {
    boolean fails = step(true);
    durableNames = new TreeMap<>(names);
    changedNames.clear();
    failLate(fails);
  }

  @Override
  public String path(String name) {
    return "/simulated/" + name;
  }

  @Override
  public void close() {}

  /** A write at an offset, or, without bytes, a cut at it. */
  private static final class Change {
    private final long offset;
    private final byte @Nullable [] bytes;

    Change(long offset, byte @Nullable [] bytes) {
      this.offset = offset;
      this.bytes = bytes;
    }

    void applyTo(Content content, int from, int to) {
      if (bytes == null) {
        content.truncate((int) offset);
      } else {
        content.write(bytes, from, to, (int) offset + from);
      }
    }

    void applyTo(Content content) {
      applyTo(content, 0, bytes == null ? 0 : bytes.length);
    }
  }

  /** The bytes of a file, changed in place: files may be long. */
  private static final class Content {
    private byte[] bytes = {};
    private int size;

    void set(Content other) {
      bytes = Arrays.copyOf(other.bytes, other.size);
      size = other.size;
    }

    /** Cuts off what is behind a size, or adds zeros up to it. */
    void truncate(int newSize) {
      if (newSize > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(newSize, 2 * bytes.length));
      }
      if (newSize < size) {
        Arrays.fill(bytes, newSize, size, (byte) 0);
      }
      size = newSize;
    }

    void write(byte[] from, int start, int end, int at) {
      int newEnd = at + end - start;
      if (newEnd > size) {
        truncate(newEnd);
      }
      System.arraycopy(from, start, bytes, at, end - start);
    }
  }

  private static final class Inode {
    private final Content content = new Content();
    private final Content durable = new Content();
    private final List<Change> unforced = new ArrayList<>();

    void change(Change change) {
      change.applyTo(content);
      unforced.add(change);
    }

    void force() {
      unforced.forEach(change -> change.applyTo(durable));
      unforced.clear();
    }

    void losePower(RandomGenerator random) {
      boolean keepsMost = random.nextBoolean();
      for (Change change : unforced) {
        byte[] bytes = change.bytes;
        if (bytes == null) {
          if (random.nextBoolean()) {
            change.applyTo(durable);
          }
          continue;
        }
        for (int from = 0; from < bytes.length; from += SECTOR_BYTES) {
          if (random.nextInt(keepsMost ? 20 : 2) > 0) {
            change.applyTo(durable, from, Math.min(bytes.length, from + SECTOR_BYTES));
          }
        }
      }
      unforced.clear();
      content.set(durable);
    }
  }

  private final class OpenFile implements DiskFile {
    private final String name;
    private final Inode inode;

    OpenFile(String name, Inode inode) {
      this.name = name;
      this.inode = inode;
    }

    @Override
    public long size() {
      return inode.content.size;
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      step(false);
      failLate(name.equals(unreadable));
      reading.run();
      int count = (int) Math.min(target.remaining(), inode.content.size - position);
      target.put(inode.content.bytes, (int) position, Math.max(0, count));
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      boolean fails = step(true);
      long room = capacity - bytes() + inode.content.size - position;
      int taken = source.remaining();
      taken = fails ? random.nextInt(taken + 1) : Math.clamp(room, 0, taken);
      byte[] bytes = new byte[taken];
      source.get(bytes);
      inode.change(new Change(position, bytes));
      failLate(fails);
      if (source.hasRemaining()) {
        throw new IOException("No space left on device");
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      boolean fails = step(true);
      inode.change(new Change(size, null));
      failLate(fails);
    }

    @Override
    public void force() throws IOException {
      forcing.run();
      if (step(true)) {
        inode.unforced.clear(); // as systems do, which then say that the next force succeeded
        failLate(true);
      }
      inode.force();
    }

    @Override
    public void close() {}
  }
}
