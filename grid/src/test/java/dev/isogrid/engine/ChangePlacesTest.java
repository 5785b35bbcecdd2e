package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.ChangesGoneException;
import dev.isogrid.api.InvalidRequestException;
import org.junit.jupiter.api.Test;

class ChangePlacesTest {
  private static final long CLUSTER = -5;
  private static final int CACHE = 7;

  private static ChangePlaces places(int segments) {
    ChangePlaces places = new ChangePlaces(CLUSTER, CACHE, segments);
    for (int index = 0; index < segments; index++) {
      long restarts = index % 3;
      places.reach(index, (restarts << 24) + 1000L * index, index % 2 == 0);
    }
    return places;
  }

  @Test
  void token_hasAllPlaces() {
    ChangePlaces places = places(8);
    places.readPart(3, 200);
    places.readPart(7, 1);
    ChangePlaces read = new ChangePlaces(CLUSTER, CACHE, 8);
    read.read("c", places.token());
    for (int index = 0; index < 8; index++) {
      assertEquals(places.place(index), read.place(index));
      assertEquals(places.isExact(index), read.isExact(index));
      assertEquals(places.read(index), read.read(index));
    }
    assertEquals(places.token(), read.token());
    read.reach(3, read.place(3) + 1, true);
    assertEquals(0, read.read(3));
  }

  @Test
  void token_ofAsManySegmentsAsCanBe_fitsARequestLine() {
    String token = places(512).token();
    assertTrue(token.length() < 3500, "length: " + token.length());
  }

  @Test
  void token_ofAnotherCache_isRefused() {
    String token = places(8).token();
    assertThrows(
        ChangesGoneException.class, () -> new ChangePlaces(CLUSTER, 8, 8).read("c", token));
    assertThrows(ChangesGoneException.class, () -> new ChangePlaces(4, CACHE, 8).read("c", token));
    assertThrows(
        ChangesGoneException.class, () -> new ChangePlaces(CLUSTER, CACHE, 9).read("c", token));
  }

  @Test
  void text_thatIsNoToken_isRefused() {
    String token = places(8).token();
    ChangePlaces places = new ChangePlaces(CLUSTER, CACHE, 8);
    for (String text : new String[] {"", "!", "AAAA", token.substring(1), token + "AAAA"}) {
      assertThrows(InvalidRequestException.class, () -> places.read("c", text), text);
    }
    for (int i = 0; i < token.length() - 1; i++) {
      char other = token.charAt(i) == 'A' ? 'B' : 'A';
      String changed = token.substring(0, i) + other + token.substring(i + 1);
      assertThrows(InvalidRequestException.class, () -> places.read("c", changed), changed);
    }
  }
}
