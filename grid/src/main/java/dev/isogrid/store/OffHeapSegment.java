package dev.isogrid.store;

import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.PageUse;
import dev.isogrid.base.EpochClock;
import dev.isogrid.wire.KeyHash;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A segment whose entries and index are outside of the Java heap. */
final class OffHeapSegment extends Segment<BinaryKey, Bytes> {
  /*
   * Structure.
   *
   *   directory     block                          page
   *   +------+      +-------------------------+    +--------+--------+-----+--------+------+
   *   | 00.. |----->| slot | slot |   | slot | |    | entry  | (dead) | ... | entry  | free |
   *   | 01.. |--+   +---|---------------------+    +--------+--------+-----+--------+------+
   *   | 1... |  |       |  tag 24 | address 32      ^ number    ^ offset            ^ used
   *   | 1... |  +-> ... |           |               |           |
   *   +------+          |           +---------------+-----------+
   *
   * The index is a table of slots: the 24 bits of the hash that did not choose the segment, and the
   * entry's address; SlotBlock says how 6 bytes take them where addresses are short. The slots are
   * ordered by tag, each as close behind its home as the others let it [1]; the home is the tag
   * scaled to the size of the block, so a block can have any size and grows by a sixteenth instead
   * of doubling. A miss ends at the first greater tag, like a hit. At most 92 % of the slots are
   * taken. The directory chooses the block by the tag's upper bits, and a block of 8,192 slots is
   * split into two [2]: so what a growing index moves at once is bounded, and since slots hold the
   * whole tag nothing of it looks at entries.
   *
   * Entries lie in pages in the order of their writes, as in a log [3]. A new value is a new entry
   * at the end, unless it has the size of the old one, which it then overwrites; the old one is
   * dead. Pages count what lives in them. When dead entries and rests take more than a twelfth,
   * each write that makes more of them moves what lives in the emptiest page it finds to the end
   * and frees the page. An entry above 4 kB has a page of its own, pinned while it is read; if
   * its value came in chunks and is large, that page has the rest only, and refers to the value.
   *
   * Pages are of 1/24 of the segment's size, 512 B to 32 kB, and come from the node's PagePool. A
   * page can move as a whole, since addresses have its number only; so can a chunk of the index.
   *
   * Concurrency. Writers hold the lock. Readers go by the stamp of Segment: whatever takes an entry
   * from where the index leads to, and so precedes any new use of its memory, changes the stamp. A
   * reader copies a small entry to an array of its own and validates; it may have read anything,
   * but uses it only if the stamp is the same. Memory that went back to the operating system makes
   * it fail with an exception of the arena, which is a torn read too. A large entry is pinned
   * first, then validated, then used in place.
   *
   * Costs. 6 or 7 bytes / load of 0.87 to 0.92 for the slot; 5 to 6 bytes of EntryLayout; under
   * 2 % of slack in the open pages and in the pool; dead entries up to a twelfth. On the heap 60
   * bytes a page and 0.2 bytes an entry for the index's chunks. A hit touches the slot and the
   * entry: two lines of memory. A write's worst case is the growth of one block (30 us), the
   * compaction of one page (30 us) and one new region of the pool (0.5 ms).
   *
   * Limits. An address has 17 bits for the page and 15 for the offset: 4 GB of small entries and
   * 131,071 pages a segment.
   *
   * Failures. Without memory a write fails before it has changed anything. Compaction has a reserve
   * of the pool; where even that is gone it is left for later. Beyond 16 million entries a segment
   * tags repeat, and lookups compare more keys.
   *
   * [1] O. Amble, D. Knuth, Ordered hash tables, The Computer Journal 17, 1974.
   * [2] R. Fagin et al., Extendible hashing, ACM TODS 4, 1979.
   * [3] S. Rumble, A. Kejriwal, J. Ousterhout, Log-structured memory for DRAM-based storage, FAST
   *     2014.
   */

  /** Pages that one write may compact. */
  private static final int COMPACTIONS_MAX = 2;

  /** How many places of {@link #removeExpired} a page counts as. */
  private static final int PLACES_OF_PAGE = 256;

  /** No entry; of {@link #copyValue}. */
  private static final int ABSENT = -1;

  /** An entry that is read in another way; of {@link #copyValue}. */
  private static final int ELSEWHERE = -2;

  /** Beside the flags: the reader took the value. */
  private static final int TAKEN = 1 << Byte.SIZE;

  private static final VarHandle EARLIEST;

  static {
    try {
      EARLIEST = MethodHandles.lookup().findVarHandle(OffHeapSegment.class, "earliest", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** As many reads as a processor has under way at once, about. */
  private static final int NEAR_SLOTS = 16;

  private final long epochBits;
  private final PagePool pool;

  /** Null in a cache that compresses nothing. */
  private final @Nullable ValueCompression compression;

  private final SlotIndex index;
  private final EntryPages pages;
  private final EntryLayout.Header header = new EntryLayout.Header();

  /** What is written is put together here. Guarded by the lock. */
  private byte[] draft = {};

  /** Read: opaque; written: by the lock's holder. No entry expires before. */
  private long earliest = Long.MAX_VALUE;

  /** What was located; guarded by the lock. The address is 0 if nothing was found. */
  private int locatedTag;

  private int locatedPosition;
  private long locatedAddress;
  private int locatedSize;
  private boolean locatedMortal;

  /** Guarded by the lock. */
  private long pagesVisited;

  /** Keeps the reads of {@link #bringNear} from being left out. Guarded by the lock. */
  @SuppressWarnings("unused") // that it is written is its use
  private int seenNear;

  OffHeapSegment(
      int epoch,
      EpochClock clock,
      Occupancy occupancy,
      PagePool pool,
      @Nullable ValueCompression compression) {
    super(epoch, clock, occupancy);
    this.compression = compression;
    this.epochBits = (long) epoch << SEQUENCE_BITS;
    this.pool = pool;
    this.index = new SlotIndex(this, pool);
    this.pages = new EntryPages(pool, occupancy);
  }

  @Override
  EntryView<BinaryKey, Bytes> newView() {
    return new BinaryView(compression);
  }

  @Override
  boolean pointAtKey(BinaryKey key, int hash, EntryView<BinaryKey, Bytes> view) {
    int tag = tag(hash);
    SlotBlock block = index.block(tag);
    int position = find(block, tag, key);
    if (position < 0) {
      return false;
    }
    long address = SlotBlock.address(block.get(position));
    Page page = Objects.requireNonNull(pages.page(address));
    BinaryView window = (BinaryView) view;
    if (page.own) {
      if (!page.pin()) {
        throw new IllegalStateException("page is gone: a torn read");
      }
      window.keep(page, pool);
    }
    show(page, EntryPages.offset(address), window);
    return true;
  }

  @Override
  public @Nullable Object readValue(BinaryKey key, int hash, ValueReader<?> reader) {
    for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      int stamp = beginRead();
      long copied;
      try {
        copied = copyValue(key, tag(hash), reader);
      } catch (RuntimeException torn) {
        if (isValid(stamp)) {
          throw torn;
        }
        continue; // it followed what was not there any more
      }
      if (isValid(stamp)) {
        return copied < 0 ? (copied == ABSENT ? null : UNCLEAR) : made(copied, reader);
      }
      Thread.onSpinWait();
    }
    return UNCLEAR;
  }

  /**
   * Copies the value of a small entry without a max idle, and its lifespan if it has one, to the
   * reader's room; the value not if the reader takes it. It may be torn.
   *
   * @return flags, {@link #TAKEN} and length of the value, or {@link #ABSENT} or {@link #ELSEWHERE}
   */
  private long copyValue(BinaryKey key, int tag, ValueReader<?> reader) {
    SlotBlock block = index.block(tag);
    int position = find(block, tag, key);
    if (position < 0) {
      return ABSENT;
    }
    long address = SlotBlock.address(block.get(position));
    MemorySegment memory = pages.memory(address);
    if (memory == null) {
      return ELSEWHERE;
    }
    long at = pages.start(address);
    int flags = memory.get(Native.BYTE, at) & 0xFF;
    if ((flags & EntryLayout.MAX_IDLE) != 0) {
      return ELSEWHERE;
    }
    at += 1 + EntryLayout.varintSize(key.length());
    int length = memory.get(Native.BYTE, at++);
    if (length < 0) {
      int next = memory.get(Native.BYTE, at++);
      if (next < 0) {
        return ELSEWHERE; // above 16 kB, so it is torn
      }
      length = (length & 0x7F) | (next << 7);
    }
    at += key.length();
    int tail =
        (flags & EntryLayout.LIFESPAN) == 0
            ? 0
            : (int) Math.min(EntryLayout.LIFESPAN_TAIL_MAX, memory.byteSize() - at - length);
    boolean isTaken = !EntryLayout.isCompressed(flags) && reader.take(memory, at, length);
    int done = isTaken ? length : 0;
    int left = length + tail - done;
    if (left > 0) {
      MemorySegment.copy(memory, Native.BYTE, at + done, reader.room(left), 0, left);
    }
    return (long) (isTaken ? flags | TAKEN : flags) << Integer.SIZE | length;
  }

  /** What a reader makes of what was copied to its room. */
  private Object made(long copied, ValueReader<?> reader) {
    int flags = (int) (copied >>> Integer.SIZE);
    boolean isTaken = (flags & TAKEN) != 0;
    flags &= ~TAKEN;
    int length = (int) copied;
    byte[] room = reader.room();
    boolean isOver =
        (flags & EntryLayout.LIFESPAN) != 0
            && EntryLayout.isLifeOver(room, flags, isTaken ? 0 : length, clock.millis());
    if (isOver) {
      return EXPIRED;
    }
    if (isTaken) {
      return reader.taken();
    }
    return EntryLayout.isCompressed(flags)
        ? Objects.requireNonNull(compression).read(room, 0, length, reader)
        : reader.read(room, 0, length);
  }

  @Override
  int bringIndexNear(int hash) {
    int tag = tag(hash);
    try {
      return index.block(tag).peekHome(tag);
    } catch (RuntimeException torn) {
      return 0; // it followed what was not there any more, and nothing depends on it
    }
  }

  @Override
  int bringEntryNear(int hash) {
    int tag = tag(hash);
    try {
      SlotBlock block = index.block(tag);
      int position = block.firstOf(tag);
      long address = position == block.capacity ? 0 : SlotBlock.address(block.get(position));
      MemorySegment memory = address == 0 ? null : pages.memory(address);
      return memory == null ? 0 : memory.get(Native.BYTE, pages.start(address));
    } catch (RuntimeException torn) {
      return 0; // as above
    }
  }

  /** The position of a key, or the complement of that of the first slot that is not below it. */
  private int find(SlotBlock block, int tag, BinaryKey key) {
    int position = block.firstOf(tag);
    for (; position < block.capacity; position++) {
      long slot = block.get(position);
      if (slot == 0 || SlotBlock.tag(slot) != tag) {
        break;
      }
      if (isKey(SlotBlock.address(slot), key)) {
        return position;
      }
    }
    return ~position;
  }

  private boolean isKey(long address, BinaryKey key) {
    MemorySegment memory = pages.memory(address);
    long at;
    if (memory == null) { // a large entry
      Page page = Objects.requireNonNull(pages.page(address));
      memory = page.memory;
      at = page.base + 1;
    } else {
      at = pages.start(address) + 1;
    }
    int length = memory.get(Native.BYTE, at++);
    if (length < 0) {
      length = Native.restOfVarint(memory, at, length);
      at += EntryLayout.varintSize(length) - 1;
    }
    if (length != key.length()) {
      return false;
    }
    while (memory.get(Native.BYTE, at++) < 0) {
      // past the length of the value
    }
    return key.equalsMemory(memory, at);
  }

  /** Moves a window to an entry: to a copy of it, or of a large one to a copy without the value. */
  private void show(Page page, int offset, BinaryView view) {
    show(page, offset, view, !page.own);
  }

  private void show(Page page, int offset, BinaryView view, boolean withValue) {
    MemorySegment memory = page.memory;
    long from = page.base + offset;
    long at = from + 1;
    int keyLength = memory.get(Native.BYTE, at++);
    if (keyLength < 0) {
      keyLength = Native.restOfVarint(memory, at, keyLength);
      at += EntryLayout.varintSize(keyLength) - 1;
    }
    int valueLength = memory.get(Native.BYTE, at++);
    if (valueLength < 0) {
      valueLength = Native.restOfVarint(memory, at, valueLength);
      at += EntryLayout.varintSize(valueLength) - 1;
    }
    int head = Math.toIntExact(at - from) + keyLength;
    ValuePieces pieces = page.pieces;
    int contained = pieces == null ? valueLength : 0;
    // so that a torn read does not ask for the memory of what it took for a length
    Objects.checkFromIndexSize(offset, (long) head + contained, page.size());
    int tailMax = EntryLayout.tailMax(memory.get(Native.BYTE, from));
    int tail = (int) Math.min(page.size() - offset - head - contained, tailMax);
    if (!withValue) {
      byte[] copy = view.scratch(head + tail);
      MemorySegment.copy(memory, Native.BYTE, from, copy, 0, head);
      MemorySegment.copy(memory, Native.BYTE, from + head + contained, copy, head, tail);
      if (pieces == null) {
        view.pointOutside(copy, memory, from, epochBits);
      } else {
        view.pointWithValue(copy, 0, pieces, epochBits);
      }
    } else {
      int length = head + valueLength + tail;
      byte[] copy = view.scratch(length);
      MemorySegment.copy(memory, Native.BYTE, from, copy, 0, length);
      view.point(copy, 0, epochBits);
    }
  }

  @Override
  boolean touch(
      BinaryKey key, int hash, EntryView<BinaryKey, Bytes> view, long nowMillis, boolean mayWait) {
    if ((((BinaryView) view).flags() & EntryLayout.MAX_IDLE) == 0
        || view.lastUsedMillis() == nowMillis) {
      return true;
    }
    if (!lock(mayWait)) {
      return false;
    }
    try {
      view.touch(nowMillis);
      touchLocked(key, tag(hash), view.version(), nowMillis);
    } finally {
      unlock();
    }
    return true;
  }

  private void touchLocked(BinaryKey key, int tag, long version, long nowMillis) {
    SlotBlock block = index.block(tag);
    int position = find(block, tag, key);
    if (position < 0) {
      return; // it was removed meanwhile
    }
    long address = SlotBlock.address(block.get(position));
    BinaryView now = new BinaryView();
    Page page = Objects.requireNonNull(pages.page(address));
    show(page, EntryPages.offset(address), now);
    if ((now.flags() & EntryLayout.MAX_IDLE) != 0 && now.version() == version) {
      setLastUsed(page, EntryPages.offset(address), now, nowMillis);
      long expiry = now.expiryMillis();
      page.earliestExpiryMillis = Math.min(page.earliestExpiryMillis, expiry);
      noteExpiry(expiry); // earlier than before if the clock was set back
    }
  }

  /** Sets the last use of an entry with a max idle, in its page and in the window on it. */
  private void setLastUsed(Page page, int offset, BinaryView view, long nowMillis) {
    view.touch(nowMillis);
    beginMoves();
    page.memory.set(Native.LITTLE_LONG, page.base + offset + view.lastUsedOffset(), nowMillis);
    endMoves();
  }

  @Override
  public void locate(BinaryKey key, int hash, EntryView<BinaryKey, Bytes> view) {
    assert isLockedByMe();
    int tag = tag(hash);
    SlotBlock block = index.block(tag);
    int position = find(block, tag, key);
    if (position < 0) {
      locatedNone(tag, (BinaryView) view);
    } else {
      located(tag, block, position, (BinaryView) view);
    }
  }

  @Override
  public void hold(EntryView<BinaryKey, Bytes> located) {
    if (locatedAddress != 0) {
      Page page = Objects.requireNonNull(pages.page(locatedAddress));
      BinaryView view = (BinaryView) located;
      if (!page.own) {
        view.copyValue();
      } else if (page.pin()) {
        view.keep(page, pool);
      }
    }
  }

  private void locatedNone(int tag, BinaryView view) {
    locatedTag = tag;
    locatedAddress = 0;
    view.point(null, epochBits);
  }

  private void located(int tag, SlotBlock block, int position, BinaryView view) {
    locatedTag = tag;
    locatedPosition = position;
    locatedAddress = SlotBlock.address(block.get(position));
    Page page = Objects.requireNonNull(pages.page(locatedAddress));
    show(page, EntryPages.offset(locatedAddress), view, false);
    locatedSize = view.size();
    locatedMortal = view.isMortal();
    if (!page.own) {
      view.copyWhenAsked();
    }
  }

  @Override
  public void applyLocated(
      BinaryKey key,
      int hash,
      EntryView<BinaryKey, Bytes> current,
      Effect<Bytes> effect,
      long version) {
    assert isLockedByMe() && tag(hash) == locatedTag;
    boolean touched = effect.kind() == Effect.Kind.TOUCH;
    Bytes value = touched ? ((BinaryView) current).storedValue() : effect.value();
    header.set(effect, current, version, clock);
    if (compression != null) {
      value = compression.stored(value, touched ? (BinaryView) current : null, header);
    }
    boolean mortal = effect.isMortal();
    ValuePieces pieces = touched ? locatedPieces() : piecesOf(value);
    if (pieces != null) {
      int size = EntryLayout.sizeWithoutValue(header, key, value.length()) + value.length();
      append(key, value, size, mortal, pieces);
      return;
    }
    int size = EntryLayout.sizeOf(header, key, value.length());
    if (locatedAddress != 0 && size == locatedSize && !EntryPages.isLarge(size)) {
      overwrite(key, value, size, mortal);
    } else {
      append(key, value, size, mortal, null);
    }
  }

  /** The pieces that an entry can take over from a value that came in chunks, or null. */
  private static @Nullable ValuePieces piecesOf(Bytes value) {
    return value instanceof IncomingPieces incoming ? incoming.pieces() : null;
  }

  private @Nullable ValuePieces locatedPieces() {
    return Objects.requireNonNull(pages.page(locatedAddress)).pieces;
  }

  private void overwrite(BinaryKey key, Bytes value, int size, boolean mortal) {
    EntryLayout.encode(header, key, value, draft(size));
    Page page = Objects.requireNonNull(pages.page(locatedAddress));
    beginMoves();
    Native.copy(draft, 0, page.memory, page.base + EntryPages.offset(locatedAddress), size);
    endMoves();
    if (mortal) {
      long expiry = expiryMillis();
      page.earliestExpiryMillis = Math.min(page.earliestExpiryMillis, expiry);
      noteExpiry(expiry);
    }
    countChanged(0, (mortal ? 1 : 0) - (locatedMortal ? 1 : 0));
  }

  private void append(
      BinaryKey key, Bytes value, int size, boolean mortal, @Nullable ValuePieces pieces) {
    long address =
        pieces == null ? pages.place(size, false) : pages.place(size - pieces.length(), pieces);
    boolean isNew = locatedAddress == 0;
    makeRoomInIndex(isNew, address, size);
    write(key, value, address, size);
    long expiry = mortal ? expiryMillis() : Long.MAX_VALUE;
    pages.written(address, size, expiry);
    noteExpiry(expiry);
    if (isNew) {
      try {
        insert(SlotBlock.slot(locatedTag, address));
      } catch (MemoryFullException e) {
        pages.dead(address, size);
        throw e;
      }
      countChanged(1, mortal ? 1 : 0);
    } else {
      beginMoves();
      SlotBlock block = index.block(locatedTag);
      block.set(locatedPosition, SlotBlock.slot(locatedTag, address));
      endMoves();
      pages.dead(locatedAddress, locatedSize);
      countChanged(0, (mortal ? 1 : 0) - (locatedMortal ? 1 : 0));
      compact();
    }
    locatedAddress = address;
    locatedSize = size;
    locatedMortal = mortal;
  }

  /** Lets the index take an address, and one more slot if the entry is new. */
  private void makeRoomInIndex(boolean isNew, long address, int size) {
    try {
      if (isNew && !index.hasRoom(index.block(locatedTag))) {
        index.grow(locatedTag, pages.addressEnd());
      }
      if (!index.block(locatedTag).takes(address)) {
        index.widenFor(address, locatedTag, false);
        if (!isNew) {
          locatedPosition = positionOf(index.block(locatedTag), locatedTag, locatedAddress);
        }
      }
    } catch (MemoryFullException e) {
      pages.abandon(address, size);
      throw e;
    }
  }

  /** Adds a slot; the block has room but for a run that its spare slots do not take. */
  private void insert(long slot) {
    while (true) {
      SlotBlock block = index.block(locatedTag);
      beginMoves();
      locatedPosition = block.insert(slot);
      endMoves();
      if (locatedPosition >= 0) {
        return;
      }
      index.grow(locatedTag, pages.addressEnd());
    }
  }

  /** Writes an entry to where nobody looks yet. */
  private void write(BinaryKey key, Bytes value, long address, int size) {
    Page page = Objects.requireNonNull(pages.page(address));
    MemorySegment memory = page.memory;
    long offset = page.base + EntryPages.offset(address);
    if (EntryPages.isLarge(size)) {
      int length = value.length();
      int head =
          EntryLayout.putHead(header, key, length, draft(size - length + EntryLayout.HEAD_MAX));
      Native.copy(draft, 0, memory, offset, head);
      if (page.pieces != null) {
        length = 0;
      } else {
        value.copyTo(memory, offset + head);
      }
      int tail = EntryLayout.putTail(header, draft, 0, head + length);
      Native.copy(draft, 0, memory, offset + head + length, tail);
    } else {
      EntryLayout.encode(header, key, value, draft(size));
      Native.copy(draft, 0, memory, offset, size);
    }
  }

  private byte[] draft(int size) {
    if (draft.length < size) {
      draft = new byte[Math.max(size, 2 * draft.length)];
    }
    return draft;
  }

  /** When the entry of the header ends if nobody touches it. */
  private long expiryMillis() {
    return ExpiryStripes.expiryMillis(
        header.createdMillis, header.lifespanMillis, header.lastUsedMillis, header.maxIdleMillis);
  }

  private void noteExpiry(long millis) {
    if (millis < earliest) {
      EARLIEST.setOpaque(this, millis);
    }
  }

  @Override
  public long earliestExpiryMillis() {
    return mortalCount() == 0 ? Long.MAX_VALUE : (long) EARLIEST.getOpaque(this);
  }

  @Override
  public void removeLocated() {
    assert isLockedByMe() && locatedAddress != 0;
    removeSlot();
    compact();
  }

  private void removeSlot() {
    SlotBlock block = index.block(locatedTag);
    beginMoves();
    block.remove(locatedPosition);
    endMoves();
    pages.dead(locatedAddress, locatedSize);
    countChanged(-1, locatedMortal ? -1 : 0);
    locatedAddress = 0;
    if (index.isSparse(block)) {
      try {
        index.shrink(locatedTag, pages.addressEnd());
      } catch (MemoryFullException e) {
        return; // it stays as large as it is; nothing depends on it
      }
    }
  }

  /** Moves entries together while there is too much waste; a bounded step. */
  private void compact() {
    for (int i = 0; i < COMPACTIONS_MAX; i++) {
      int victim = pages.victim();
      if (victim == 0 || !compactPage(victim)) {
        return;
      }
    }
  }

  private boolean compactPage(int number) {
    Page page = Objects.requireNonNull(pages.pageOf(number));
    byte[] copy = pool.copyOf(page, page.used);
    try {
      BinaryView view = new BinaryView();
      int end = page.used;
      for (int offset = 0; offset < end && page.live > 0; ) {
        view.point(copy, offset, epochBits);
        int size = view.size();
        long address = EntryPages.address(number, offset);
        int tag = tag(KeyHash.hash(copy, EntryLayout.keyOffset(copy, offset), view.keyLength()));
        if (positionOf(index.block(tag), tag, address) >= 0) {
          move(view, copy, offset, size, tag, address);
        }
        offset += size;
      }
      return true;
    } catch (MemoryFullException e) {
      return false; // what was moved is moved; the rest waits for memory
    } finally {
      pool.giveBack(copy);
    }
  }

  // tidy: one entry with all that is known of it
  private void move(BinaryView view, byte[] copy, int offset, int size, int tag, long address) {
    long target = pages.place(size, true);
    index.widenFor(target, tag, true);
    Page page = Objects.requireNonNull(pages.page(target));
    Native.copy(copy, offset, page.memory, page.base + EntryPages.offset(target), size);
    pages.written(target, size, view.expiryMillis());
    SlotBlock block = index.block(tag);
    int position = positionOf(block, tag, address);
    beginMoves();
    block.set(position, SlotBlock.slot(tag, target));
    endMoves();
    pages.dead(address, size);
  }

  /** The position of an address, or -1 if the index does not lead there. */
  private static int positionOf(SlotBlock block, int tag, long address) {
    long wanted = SlotBlock.slot(tag, address);
    for (int position = block.firstOf(tag); position < block.capacity; position++) {
      long slot = block.get(position);
      if (slot == wanted) {
        return position;
      }
      if (slot == 0 || SlotBlock.tag(slot) != tag) {
        return -1;
      }
    }
    return -1;
  }

  @Override
  public void clear() {
    assert isLockedByMe();
    index.clear();
    pages.clear();
    countChanged(-count(), -mortalCount());
    EARLIEST.setOpaque(this, Long.MAX_VALUE);
    locatedAddress = 0;
  }

  @Override
  public void vacate() {
    for (int number = 0; number >= 0; ) {
      lock();
      try {
        number = pages.vacate(number, this);
      } finally {
        unlock();
      }
    }
    for (int tag = 0; tag < SlotBlock.TAG_COUNT; ) {
      lock();
      try {
        tag = index.vacate(tag);
      } finally {
        unlock();
      }
    }
  }

  @Override
  public SegmentSnapshot<BinaryKey, Bytes> snapshot() {
    return new OffHeapScan(this, epochBits);
  }

  @Override
  public SegmentSnapshot<BinaryKey, Bytes> orderedFrom(@Nullable BinaryKey after) {
    return new OffHeapScan(this, epochBits, after);
  }

  @Override
  public int walkGroup(int hash) {
    return tag(hash);
  }

  /**
   * Copies entries in the order of their tags, from one on, until there are enough. Takes the lock.
   *
   * @return the tag to go on with, {@link SlotBlock#TAG_COUNT} at the end
   */
  int scan(int fromTag, EntryBatch batch) {
    lock();
    try {
      int tag = fromTag;
      while (tag < SlotBlock.TAG_COUNT) {
        SlotBlock block = index.block(tag);
        int near = 0;
        for (int position = block.firstOf(tag); position < block.capacity; position++) {
          if (position >= near) {
            near = bringNear(block, position);
          }
          long slot = block.get(position);
          if (slot != 0) {
            if (SlotBlock.tag(slot) != tag && batch.isFull()) {
              return SlotBlock.tag(slot);
            }
            tag = SlotBlock.tag(slot);
            long address = SlotBlock.address(slot);
            batch.add(Objects.requireNonNull(pages.page(address)), EntryPages.offset(address), tag);
          }
        }
        tag = SlotIndex.endOfBlock(block, tag);
        if (batch.isFull()) {
          return tag;
        }
      }
      return tag;
    } finally {
      unlock();
    }
  }

  /**
   * Reads where the entries of some slots begin, so that the processor fetches them at the same
   * time: a walk goes through them in the order of their hashes, which is none in memory. Locked.
   *
   * @return the position behind those slots
   */
  private int bringNear(SlotBlock block, int from) {
    int end = Math.min(block.capacity, from + NEAR_SLOTS);
    int seen = 0;
    for (int position = from; position < end; position++) {
      long address = SlotBlock.address(block.get(position));
      MemorySegment memory = address == 0 ? null : pages.memory(address);
      seen += memory == null ? 0 : memory.get(Native.BYTE, pages.start(address));
    }
    seenNear = seen;
    return end;
  }

  @Override
  public int removeExpired(
      int from,
      int placesMax,
      long nowMillis,
      EntryView<BinaryKey, Bytes> view,
      EntryReader<BinaryKey, Bytes> reader) {
    int next = visitDue(from, placesMax, (BinaryView) view, new Search(nowMillis, reader, true));
    if (next < 0) {
      compact();
    }
    return next;
  }

  @Override
  public int visitExpired(
      int from,
      int placesMax,
      long nowMillis,
      EntryView<BinaryKey, Bytes> view,
      EntryReader<BinaryKey, Bytes> reader) {
    return visitDue(from, placesMax, (BinaryView) view, new Search(nowMillis, reader, false));
  }

  /**
   * A search for what is expired.
   *
   * @param reader called with each such entry
   * @param removes whether they are removed then
   */
  private record Search(long nowMillis, EntryReader<BinaryKey, Bytes> reader, boolean removes) {}

  /** How many pages were ever looked through for expired entries. Locked. */
  long pagesVisited() {
    return pagesVisited;
  }

  private int visitDue(int from, int placesMax, BinaryView view, Search search) {
    assert isLockedByMe();
    int left = placesMax;
    int number = Math.max(from, 1);
    for (; number < pages.numbersUsed() && left > 0; number++) {
      Page page = pages.pageOf(number);
      if (page != null && page.earliestExpiryMillis <= search.nowMillis) {
        left -= PLACES_OF_PAGE;
        pagesVisited++;
        page.earliestExpiryMillis = visit(number, page, view, search);
      }
    }
    if (number < pages.numbersUsed()) {
      return number;
    }
    EARLIEST.setOpaque(this, pages.earliestExpiryMillis());
    return -1;
  }

  /** Finds what is expired in a page; gives when the first of those that stay may expire. */
  private long visit(int number, Page page, BinaryView view, Search search) {
    if (page.own) {
      show(page, 0, view);
      return visitEntry(EntryPages.address(number, 0), view, search);
    }
    long earliestLeft = Long.MAX_VALUE;
    int end = page.used;
    byte[] copy = pool.copyOf(page, end); // the page itself is freed with its last entry
    try {
      int size;
      for (int offset = 0; offset < end; offset += size) {
        view.point(copy, offset, epochBits);
        size = view.size();
        long address = EntryPages.address(number, offset);
        earliestLeft = Math.min(earliestLeft, visitEntry(address, view, search));
      }
    } finally {
      pool.giveBack(copy);
    }
    return earliestLeft;
  }

  /**
   * Shows the entry that a window is at if its time is over and it is the present one at an
   * address.
   *
   * @return when it may expire if it stays, or {@code Long.MAX_VALUE}
   */
  private long visitEntry(long address, BinaryView view, Search search) {
    long expiry = view.expiryMillis();
    if (expiry > search.nowMillis) {
      return expiry;
    }
    if (!locateAddress(address, view)) {
      return Long.MAX_VALUE;
    }
    search.reader.read(view);
    if (search.removes) {
      removeSlot();
      return Long.MAX_VALUE;
    }
    return expiry;
  }

  @Override
  void touchMortals(long nowMillis) {
    BinaryView view = new BinaryView();
    for (int number = 1; number < pages.numbersUsed(); number++) {
      Page page = pages.pageOf(number);
      if (page != null && page.earliestExpiryMillis != Long.MAX_VALUE) {
        touchMortals(page, nowMillis, view);
      }
    }
    EARLIEST.setOpaque(this, pages.earliestExpiryMillis());
  }

  /** Touches what is dead too: to find that out would cost more. */
  private void touchMortals(Page page, long nowMillis, BinaryView view) {
    long earliestLeft = Long.MAX_VALUE;
    int end = page.own ? 1 : page.used;
    for (int offset = 0; offset < end; offset += view.size()) {
      show(page, offset, view, false);
      if ((view.flags() & EntryLayout.MAX_IDLE) != 0) {
        setLastUsed(page, offset, view, nowMillis);
      }
      earliestLeft = Math.min(earliestLeft, view.expiryMillis());
    }
    page.earliestExpiryMillis = earliestLeft;
  }

  /** Locates the entry that a window shows if it is the present one at an address. */
  private boolean locateAddress(long address, BinaryView view) {
    int tag = tag(view.keyHash());
    SlotBlock block = index.block(tag);
    int position = positionOf(block, tag, address);
    if (position < 0) {
      return false;
    }
    locatedTag = tag;
    locatedPosition = position;
    locatedAddress = address;
    locatedSize = view.size();
    locatedMortal = view.isMortal();
    return true;
  }

  @Override
  public MemoryUse memoryUse() {
    assert isLockedByMe();
    return new MemoryUse(
        pages.allocatedBytes() + index.bytes(),
        pages.liveBytes(),
        pages.deadBytes(),
        index.bytes(),
        pages.pageCount(),
        0);
  }

  @Override
  public List<PageUse> pages() {
    assert isLockedByMe();
    return pages.report();
  }

  @Override
  public int sampleTag(long random) {
    int tag = (int) (random >>> (Long.SIZE - SlotBlock.TAG_BITS));
    try {
      SlotBlock block = index.block(tag);
      int position = block.home(tag);
      int end = Math.min(position + SAMPLED_PLACES, block.capacity);
      for (; position < end; position++) {
        long slot = block.get(position);
        if (slot != 0) {
          return SlotBlock.tag(slot);
        }
      }
      return -1;
    } catch (RuntimeException torn) {
      return -1; // the block was freed meanwhile
    }
  }

  @Override
  public void locateTag(int tag, EntryView<BinaryKey, Bytes> view) {
    assert isLockedByMe();
    SlotBlock block = index.block(tag);
    int position = block.firstOf(tag);
    long slot = position < block.capacity ? block.get(position) : 0;
    if (slot != 0 && SlotBlock.tag(slot) == tag) {
      located(tag, block, position, (BinaryView) view);
    } else {
      locatedNone(tag, (BinaryView) view);
    }
  }

  @Override
  void checkInvariants(EntryView<BinaryKey, Bytes> view) {
    assert isLockedByMe();
    new OffHeapCheck(index, pages, (BinaryView) view, this::showAt)
        .check(count(), mortalCount(), earliest);
  }

  private void showAt(long address, BinaryView view) {
    show(Objects.requireNonNull(pages.page(address)), EntryPages.offset(address), view);
  }
}
