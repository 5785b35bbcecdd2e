package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Expiry;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BinarySegmentTest extends SegmentContract<BinaryKey, Bytes> {
  /** The table's size while 4 to 6 entries are in it, and as long as it never held more. */
  private static final int CAPACITY = 8;

  BinarySegmentTest() {
    super(TextKind.BINARY);
  }

  /** Makes the empty table as large as its next entries need. */
  private void growTo8Places() {
    for (int i = 0; i < 4; i++) {
      fixture.store("filler" + i, "");
    }
    for (int i = 0; i < 4; i++) {
      fixture.remove("filler" + i);
    }
  }

  /** A key whose home in a table of 8 places is the one given. */
  private String keyAt(int home, int number) {
    int found = 0;
    for (int i = 0; ; i++) {
      String key = "k" + i;
      if ((fixture.kind.key(key).hash() & CAPACITY - 1) == home && found++ == number) {
        return key;
      }
    }
  }

  /** Keys for some homes, all different. */
  private List<String> keysAt(int... homes) {
    int[] used = new int[CAPACITY];
    List<String> keys = new ArrayList<>();
    for (int home : homes) {
      keys.add(keyAt(home, used[home]++));
    }
    return keys;
  }

  private void assertAllFound(List<String> keys) {
    fixture.checkInvariants();
    keys.forEach(key -> assertEquals("of " + key, shown(fixture.read(key)).value()));
    assertEquals(keys.size(), segment.count());
  }

  /** A tag has fewer bits of the hash than places of a very large table have. */
  @Test
  void findTag_inATableOfMorePlacesThanTagsTell_findsAllEntries() {
    int places = 1 << (Segment.TAG_PLACE_BITS + 2);
    byte[][] table = new byte[places][];
    for (int i = 0; i < 32; i++) {
      BinaryKey key = fixture.kind.key("k" + i);
      byte[] entry = EntryLayout.encode(new EntryLayout.Header(), key, Bytes.of(new byte[0]));
      int place = key.hash() & places - 1;
      table[place] = entry;
      assertEquals(place, BinarySegment.findTag(table, Segment.tag(key.hash())), "k" + i);
    }
    assertTrue(BinarySegment.findTag(table, Segment.tag(fixture.kind.key("none").hash())) < 0);
  }

  @Test
  void remove_fromEveryRunOfFiveAroundTheEnd_movesLaterEntriesBack() {
    growTo8Places();
    int[] homes = {5, 6, 7, 0};
    for (int code = 0; code < 4 * 4 * 4 * 4 * 4; code++) {
      int[] chosen = new int[5];
      for (int i = 0; i < chosen.length; i++) {
        chosen[i] = homes[code >> (2 * i) & 3];
      }
      List<String> keys = keysAt(chosen);
      for (int gone = 0; gone < keys.size(); gone++) {
        removeOneThenAll(keys, gone);
      }
    }
  }

  private void removeOneThenAll(List<String> keys, int gone) {
    keys.forEach(key -> fixture.store(key, "of " + key));
    List<String> left = new ArrayList<>(keys);
    assertTrue(fixture.remove(left.remove(gone)));
    assertAllFound(left);
    while (!left.isEmpty()) {
      assertTrue(fixture.remove(left.removeFirst()));
      fixture.checkInvariants();
    }
  }

  @Test
  void removeExpired_fromRunAroundTheEnd_missesNoMovedEntry() {
    growTo8Places();
    List<String> keys = keysAt(6, 6, 7, 7, 0, 0);
    for (int expired = 0; expired < 1 << keys.size(); expired++) {
      List<String> left = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        boolean mortal = (expired >> i & 1) != 0;
        String key = keys.get(i);
        fixture.store(key, "of " + key, mortal ? new Expiry(1, -1) : Expiry.NEVER);
        if (!mortal) {
          left.add(key);
        }
      }
      fixture.env.moveClock(1);

      int place = 0;
      while (place >= 0) {
        place = fixture.removeExpired(place, CAPACITY, entry -> {});
      }

      assertAllFound(left);
      left.forEach(fixture::remove);
    }
  }

  @Test
  void store_intoFullRun_growsAndFindsThePlace() {
    growTo8Places();
    List<String> keys = keysAt(7, 7, 7, 7, 7, 7, 7);
    for (int i = 0; i < keys.size(); i++) {
      fixture.store(keys.get(i), "of " + keys.get(i));
      assertAllFound(keys.subList(0, i + 1));
    }
  }

  @Test
  void store_ofLongKeyAndValue_keepsEveryByte() {
    String key = "k".repeat(70_000);
    String value = "v".repeat(300_000) + "!";
    fixture.store(key, value, new Expiry(10, 5), 3, "a/b");

    assertEquals(value, shown(fixture.read(key)).value());
  }

  @Test
  void value_ofView_isCopiedAndWrittenWhole() {
    fixture.store("key", "value", new Expiry(10, 5), 3, "a/b");
    fixture.locate("key");
    Bytes value = fixture.view.value();
    byte[] expected = "value".getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    byte[] target = new byte[7];

    value.writeTo(written::write);
    value.copyTo(target, 1);

    assertEquals(5, value.length());
    assertArrayEquals(expected, value.toByteArray());
    assertArrayEquals(expected, written.toByteArray());
    assertArrayEquals("\0value\0".getBytes(StandardCharsets.US_ASCII), target);
  }

  @Test
  void view_ofAnEntryThatIsReplaced_stillShowsTheOld() {
    fixture.store("a", "old");
    BinaryKey key = fixture.kind.key("a");
    EntryView<BinaryKey, Bytes> view = fixture.container.newView();
    segment.read(key, key.hash(), view, entry -> {});

    fixture.store("a", "new value");
    fixture.remove("a");

    assertEquals("old", fixture.kind.text(view.value()));
  }
}
