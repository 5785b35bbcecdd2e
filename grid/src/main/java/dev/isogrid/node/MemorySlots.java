package dev.isogrid.node;

import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.Memory;
import dev.isogrid.cluster.MemoryLayout;
import dev.isogrid.journal.Disk;
import dev.isogrid.journal.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The files of a node's memory of its cluster. For one thread; methods block. */
final class MemorySlots {
  /*
   * Two files, memory.0 and memory.1, are written in turn, in place. Both have room for more than
   * the memory takes, and that room is on the disk before it is needed: a disk that is full still
   * takes what the node accepts, so the node goes on voting.
   *
   *    offset  bytes  field
   *         0      8  "ISOGRIDS"; 0 if the slot is empty
   *         8      8  number: the greater is the newer
   *        16      4  length of the memory
   *        20      4  CRC32C of number, length and memory
   *        24      .  memory, as MemoryLayout has it
   *
   * Numbers are big-endian. The head is written behind the memory, so that a killed process
   * leaves an empty slot. When a slot was forced, the other one is emptied: a node that told what
   * it accepted must not go on with what it accepted before, should the slot be damaged.
   *
   * Earlier versions wrote a new file, memory-N, for each memory. These are read, and deleted when
   * a slot was written.
   */
  static final String SLOT_START = "memory.";
  static final String FILE_START = "memory-";
  private static final int RADIX = 16;

  private static final long MAGIC = 0x49534F4752494453L;
  private static final int NUMBER = 8;
  private static final int LENGTH = 16;
  private static final int CRC = 20;
  private static final int HEAD_BYTES = 24;

  /** Slots have a multiple of this. */
  private static final int ROOM_BYTES = 1 << 16;

  private static final List<String> SLOTS = List.of(SLOT_START + 0, SLOT_START + 1);

  private final Disk disk;

  /** The slot with what was written last, or -1. */
  private int current = -1;

  /** The number of what was written last. */
  private long number;

  MemorySlots(Disk disk) {
    this.disk = disk;
  }

  private record Found(long number, Memory memory) {}

  /**
   * Reads what was written last; null if there is nothing.
   *
   * @throws MalformedMessageException if all that there is can't be read; the message has the file
   */
  @Nullable Memory read() throws IOException, MalformedMessageException {
    Memory newest = null;
    String trouble = null;
    for (String name : disk.names()) {
      try {
        Found found = found(name);
        if (found != null && (newest == null || found.number > number)) {
          newest = found.memory;
          number = found.number;
          current = SLOTS.indexOf(name);
        }
      } catch (MalformedMessageException damage) {
        trouble = disk.path(name) + ": " + damage.getMessage();
      }
    }
    if (newest == null && trouble != null) {
      throw new MalformedMessageException(trouble);
    }
    return newest;
  }

  private @Nullable Found found(String name) throws IOException, MalformedMessageException {
    if (SLOTS.contains(name)) {
      return inSlot(bytes(name));
    }
    if (!name.startsWith(FILE_START)) {
      return null;
    }
    long ofName = Long.parseLong(name.substring(FILE_START.length()), RADIX);
    return new Found(ofName, MemoryLayout.fromBytes(bytes(name)));
  }

  private byte[] bytes(String name) throws IOException {
    try (DiskFile file = disk.open(name)) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
      file.read(bytes, 0);
      return bytes.array();
    }
  }

  private static @Nullable Found inSlot(byte[] bytes) throws MalformedMessageException {
    ByteBuffer view = ByteBuffer.wrap(bytes);
    if (bytes.length < HEAD_BYTES || view.getLong(0) == 0) {
      return null;
    }
    int length = view.getInt(LENGTH);
    boolean isWhole =
        view.getLong(0) == MAGIC
            && length >= 0
            && length <= bytes.length - HEAD_BYTES
            && view.getInt(CRC) == crc(bytes, length);
    if (!isWhole) {
      throw new MalformedMessageException("no memory of a cluster, or a damaged one");
    }
    byte[] memory = Arrays.copyOfRange(bytes, HEAD_BYTES, HEAD_BYTES + length);
    return new Found(view.getLong(NUMBER), MemoryLayout.fromBytes(memory));
  }

  private static int crc(byte[] slot, int length) {
    CRC32C crc = new CRC32C();
    crc.update(slot, NUMBER, CRC - NUMBER);
    crc.update(slot, HEAD_BYTES, length);
    return (int) crc.getValue();
  }

  /** Writes a memory; when this returns, it outlives a loss of power. */
  void write(Memory memory) throws IOException {
    byte[] bytes = MemoryLayout.toBytes(memory);
    byte[] slot = new byte[HEAD_BYTES + bytes.length];
    System.arraycopy(bytes, 0, slot, HEAD_BYTES, bytes.length);
    ByteBuffer view = ByteBuffer.wrap(slot);
    view.putLong(0, MAGIC).putLong(NUMBER, number + 1).putInt(LENGTH, bytes.length);
    view.putInt(CRC, crc(slot, bytes.length));
    reserve(slot.length);
    int target = current == 0 ? 1 : 0;
    boolean isFirst = number == 0;
    try (DiskFile file = disk.open(SLOTS.get(target))) {
      file.write(ByteBuffer.wrap(slot, HEAD_BYTES, bytes.length), HEAD_BYTES);
      if (isFirst) {
        file.force(); // so that what is cut off is an empty slot, since there is no other one
      }
      file.write(ByteBuffer.wrap(slot, 0, HEAD_BYTES), 0);
      file.force();
    }
    number++;
    current = target;
    try (DiskFile other = disk.open(SLOTS.get(1 - target))) {
      other.write(ByteBuffer.allocate(Long.BYTES), 0);
    }
    for (String name : disk.names()) {
      if (name.startsWith(FILE_START)) {
        disk.delete(name);
      }
    }
  }

  /** Has both slots large enough. */
  private void reserve(int needed) throws IOException {
    boolean isNew = false;
    for (String name : SLOTS) {
      boolean isThere = disk.exists(name);
      isNew |= !isThere;
      try (DiskFile file = isThere ? disk.open(name) : disk.create(name)) {
        long size = file.size();
        if (size < needed) {
          long wanted = (2L * needed / ROOM_BYTES + 1) * ROOM_BYTES;
          file.write(ByteBuffer.allocate(Math.toIntExact(wanted - size)), size);
          file.force();
        }
      }
    }
    if (isNew) {
      disk.forceNames();
    }
  }
}
