package dev.isogrid.engine;

import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SideWrites.Status;
import dev.isogrid.engine.SideWrites.Wanted;
import dev.isogrid.store.DetachedEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The questions of a side's nodes to each other, in bytes. Thread-safe. */
final class SideCodec {
  /*
   * Layout as in MessageLayout; key and entry as in EntryCodec.
   *
   *    hello      nothing
   *    greeting   whether the node has a lease, 1
   *    read       key
   *    was read   status 1, there is one 1, entry if true
   *    write      key, expected version 8, new version 8, there is a value 1, entry if true
   *    copy       key, base 8, version 8, turn 8, value, there are ours 1, if true seen 8, value;
   *               a value is: there is one 1, entry if true
   *    settle     of one entry 1, key if true
   *    was asked  whether there is something to be handed over, 1
   */
  private static final List<Status> STATUSES = List.of(Status.values());

  private final EntryCodec entries;

  SideCodec(EntryCodec entries) {
    this.entries = entries;
  }

  private static MessageReader reader(ByteString bytes) throws MalformedMessageException {
    byte[] array = bytes.toByteArray();
    return new MessageReader(array, 0, array.length);
  }

  private static ByteString bytes(MessageWriter out) {
    return ByteString.of(out.toByteArray());
  }

  ByteString flag(boolean flag) {
    MessageWriter out = new MessageWriter();
    out.putBoolean(flag);
    return bytes(out);
  }

  boolean flag(ByteString bytes) throws MalformedMessageException {
    MessageReader in = reader(bytes);
    boolean flag = in.bool("flag");
    in.end();
    return flag;
  }

  ByteString status(Status status) {
    MessageWriter out = new MessageWriter();
    out.putByte(STATUSES.indexOf(status));
    return bytes(out);
  }

  Status status(ByteString bytes) throws MalformedMessageException {
    MessageReader in = reader(bytes);
    Status status = status(in);
    in.end();
    return status;
  }

  private static Status status(MessageReader in) throws MalformedMessageException {
    int number = in.unsignedByte("status");
    if (number >= STATUSES.size()) {
      throw in.malformed("status", number, "unknown");
    }
    return STATUSES.get(number);
  }

  private EntryKey key(MessageReader in) throws MalformedMessageException {
    if (entries.readKey(in) instanceof EntryKey key) {
      return key;
    }
    throw in.malformed("kind", 0, "expected a key");
  }

  /** A key, or none. */
  ByteString key(@Nullable EntryKey key) {
    MessageWriter out = new MessageWriter();
    out.putBoolean(key != null);
    if (key != null) {
      entries.writeKey(key, out);
    }
    return bytes(out);
  }

  @Nullable EntryKey key(ByteString bytes) throws MalformedMessageException {
    MessageReader in = reader(bytes);
    EntryKey key = in.bool("one") ? key(in) : null;
    in.end();
    return key;
  }

  private void putValue(@Nullable DetachedEntry value, MessageWriter out) {
    out.putBoolean(value != null);
    if (value != null) {
      entries.writeValue(value, out);
    }
  }

  private @Nullable DetachedEntry value(MessageReader in) throws MalformedMessageException {
    return in.bool("value") ? entries.readValue(in) : null;
  }

  /** The result of a read. */
  record Found(Status status, @Nullable DetachedEntry entry) {}

  ByteString found(Found found) {
    MessageWriter out = new MessageWriter();
    out.putByte(STATUSES.indexOf(found.status));
    putValue(found.entry, out);
    return bytes(out);
  }

  Found found(ByteString bytes) throws MalformedMessageException {
    MessageReader in = reader(bytes);
    Found found = new Found(status(in), value(in));
    in.end();
    return found;
  }

  ByteString wanted(Wanted wanted) {
    MessageWriter out = new MessageWriter();
    entries.writeKey(wanted.key(), out);
    out.putLong(wanted.expected());
    out.putLong(wanted.sequence());
    putValue(wanted.value(), out);
    return bytes(out);
  }

  Wanted wanted(ByteString bytes) throws MalformedMessageException {
    MessageReader in = reader(bytes);
    EntryKey key = key(in);
    long expected = in.int64("expected");
    long sequence = in.int64("sequence");
    Wanted wanted = new Wanted(key, expected, value(in), sequence);
    in.end();
    return wanted;
  }

  ByteString kept(KeptWrite write) {
    MessageWriter out = new MessageWriter();
    entries.writeKey(write.key(), out);
    out.putLong(write.base());
    out.putLong(write.sequence());
    out.putLong(write.turn());
    putValue(write.value(), out);
    KeptWrite.Ours ours = write.ours();
    out.putBoolean(ours != null);
    if (ours != null) {
      out.putLong(ours.seen());
      putValue(ours.value(), out);
    }
    return bytes(out);
  }

  KeptWrite kept(ByteString bytes) throws MalformedMessageException {
    MessageReader in = reader(bytes);
    EntryKey key = key(in);
    long base = in.int64("base");
    long sequence = in.int64("sequence");
    long turn = in.int64("turn");
    DetachedEntry value = value(in);
    KeptWrite.Ours ours = in.bool("ours") ? new KeptWrite.Ours(in.int64("seen"), value(in)) : null;
    in.end();
    return new KeptWrite(key, base, value, sequence, turn, ours);
  }
}
