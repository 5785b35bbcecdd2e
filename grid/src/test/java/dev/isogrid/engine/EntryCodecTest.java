package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import dev.isogrid.codec.ByteString;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.DetachedEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Writes that a function decides upon, and their way to another node. */
class EntryCodecTest {
  /** Appends the argument, but removes the entry for 0 and changes nothing for 1. */
  private static final EntryFunction APPEND =
      (current, effect, argument) -> {
        if (argument.length == 0) {
          throw new InvalidRequestException("nothing to append");
        }
        int length = current.isPresent() ? current.value().length() : -1;
        if (argument[0] == 0) {
          effect.remove();
        } else if (argument[0] != 1) {
          Bytes longer = Bytes.of(new byte[] {(byte) (Math.max(0, length) + 1), argument[0]});
          effect.store(longer, Expiry.UNLIMITED, Expiry.UNLIMITED);
        }
        return new byte[] {(byte) length};
      };

  private static final EntryKey KEY = new EntryKey(3, new byte[] {7});

  private final EntryCodec codec = new EntryCodec(() -> 1_000, List.of(APPEND));

  private static ApplyFunction command(int... argument) {
    byte[] bytes = new byte[argument.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) argument[i];
    }
    return new ApplyFunction(KEY, 5, ByteString.of(bytes), APPEND, () -> 1_000);
  }

  private static DetachedEntry entry(long lifespanMillis) {
    ByteString value = ByteString.of(new byte[] {4, 5, 6});
    return new DetachedEntry(0, 0, lifespanMillis, 0, Expiry.UNLIMITED, 0, null, value);
  }

  private static ApplyFunction.Answer answer(Command.Decision decision) {
    return (ApplyFunction.Answer) requireNonNull(decision.result());
  }

  @Test
  void partOfAnEntry_isReadAsItWasWritten() throws MalformedMessageException {
    ByteString part = ByteString.of(new byte[] {4, 5, 6});
    DetachedEntry entry = new DetachedEntry(3, -1, -1, -1, -1, 9, "text/plain", part);
    EntryPiece piece = new EntryPiece(entry, 7, 10);
    for (Object copied : new Object[] {piece, entry}) {
      MessageWriter out = new MessageWriter();
      codec.writeCopied(copied, out);
      byte[] bytes = out.toByteArray();
      assertEquals(copied, codec.readCopied(new MessageReader(bytes, 0, bytes.length)));
    }
    assertTrue(piece.isLast());
    assertThrows(IllegalArgumentException.class, () -> new EntryPiece(entry(5), 8, 10));
  }

  @Test
  void decision_isTheFunctions() {
    Command.Decision stored = command(9).decide(entry(Expiry.UNLIMITED), 3, 12);
    assertTrue(stored.changes());
    DetachedEntry value = (DetachedEntry) requireNonNull(stored.value());
    assertArrayEquals(new byte[] {4, 9}, value.value().toByteArray());
    assertEquals(Expiry.UNLIMITED, value.lifespanMillis());
    assertEquals(12, answer(stored).sequence());
    assertEquals(3, answer(stored).answer().toByteArray()[0]);
    assertEquals(-1, answer(command(9).decide(entry(500), 3, 12)).answer().toByteArray()[0]);
    Command.Decision removed = command(0).decide(entry(Expiry.UNLIMITED), 3, 12);
    assertTrue(removed.changes());
    assertNull(removed.value());
    assertFalse(command(0).decide(null, 0, 12).changes()); // there is nothing to remove
    Command.Decision left = command(1).decide(null, 0, 12);
    assertEquals(false, left.changes());
    assertEquals(0, answer(left).sequence());
    assertFalse(command(1).decide(entry(500), 3, 12).changes()); // the reaper removes it
  }

  @Test
  void decision_thatIsNotPossible_isRefused() {
    Command.Decision refused = command().decide(entry(Expiry.UNLIMITED), 3, 12);
    assertEquals(false, refused.changes());
    assertEquals("nothing to append", answer(refused).refusal());
  }

  @Test
  void command_thatWasSent_meansTheSame() throws Exception {
    MessageWriter out = new MessageWriter();
    codec.write(command(9, 8), out);
    byte[] bytes = out.toByteArray();
    Command read = codec.read(codec.opcode(command(9, 8)), reader(bytes, bytes.length));
    assertEquals(KEY, read.key());
    assertEquals(
        command(9, 8).decide(entry(Expiry.UNLIMITED), 3, 12),
        read.decide(entry(Expiry.UNLIMITED), 3, 12));
    for (int length = 0; length < bytes.length; length++) {
      int cut = length;
      assertThrows(MalformedMessageException.class, () -> codec.read(4, reader(bytes, cut)));
    }
  }

  private static WriteEntry put(int key, int value, boolean isSilent) {
    WriteEntry.Fields fields =
        new WriteEntry.Fields(500, -1, 3, "text/plain", ByteString.of(new byte[] {(byte) value}));
    return new WriteEntry(
        new EntryKey(3, new byte[] {(byte) key}),
        WriteEntry.Action.STORE,
        KeyWrite.Condition.NONE,
        0,
        fields,
        false,
        isSilent,
        () -> 1_000);
  }

  @Test
  void putsThatAreDoneTogether_areReadAsTheyWereWritten() throws Exception {
    WriteEntries puts =
        new WriteEntries(new CacheScope(3), List.of(put(1, 7, true), put(2, 8, true)));
    MessageWriter out = new MessageWriter();
    codec.write(puts, out);
    byte[] bytes = out.toByteArray();
    Command read = codec.read(codec.opcode(puts), reader(bytes, bytes.length));
    Command.Decision decision = read.decide(null, 0, 12);
    assertEquals(puts.decide(null, 0, 12), decision);
    ManyValues values = (ManyValues) requireNonNull(decision.value());
    assertEquals(2, values.byKey().size());
    assertEquals(12, ((WriteResult) requireNonNull(decision.result())).sequence());
    for (int length = 0; length < bytes.length; length++) {
      int cut = length;
      assertThrows(
          MalformedMessageException.class,
          () -> codec.read(codec.opcode(puts), reader(bytes, cut)));
    }
  }

  @Test
  void putsThatCanNotBeDoneTogether_areRefused() {
    CacheScope cache = new CacheScope(3);
    WriteEntry put = put(1, 7, false);
    for (List<WriteEntry> wrong :
        List.of(List.<WriteEntry>of(), List.of(put, put), List.of(put, put(2, 8, true)))) {
      assertThrows(IllegalArgumentException.class, () -> new WriteEntries(cache, wrong));
    }
    assertThrows(
        IllegalArgumentException.class, () -> new WriteEntries(new CacheScope(4), List.of(put)));
  }

  @Test
  void answer_thatWasSent_isEqual() throws Exception {
    for (@Nullable String refusal : new String[] {null, "no"}) {
      ApplyFunction.Answer answer =
          new ApplyFunction.Answer(5, ByteString.of(new byte[] {1}), refusal);
      MessageWriter out = new MessageWriter();
      codec.writeAnswer(answer, out);
      byte[] bytes = out.toByteArray();
      assertEquals(answer, codec.readAnswer(reader(bytes, bytes.length)));
      for (int length = 0; length < bytes.length; length++) {
        int cut = length;
        assertThrows(MalformedMessageException.class, () -> codec.readAnswer(reader(bytes, cut)));
      }
    }
  }

  private static MessageReader reader(byte[] bytes, int length) throws MalformedMessageException {
    return new MessageReader(bytes, 0, length);
  }
}
