package dev.isogrid.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class MediaTypesTest {
  @Test
  void numbers_ofKnownTypes_areThoseOfTheProtocol() {
    assertEquals(1, MediaTypes.idOf("application/x-java-object"));
    assertEquals(2, MediaTypes.idOf(MediaTypes.JSON));
    assertEquals(3, MediaTypes.idOf(MediaTypes.OCTET_STREAM));
    assertEquals(11, MediaTypes.idOf("text/csv"));
    assertEquals(12, MediaTypes.idOf(MediaTypes.PROTOSTREAM));
    assertEquals(13, MediaTypes.idOf(MediaTypes.TEXT_PLAIN));
    assertEquals(15, MediaTypes.idOf("application/x-jboss-marshalling"));
    assertEquals(17, MediaTypes.idOf(MediaTypes.UNKNOWN));
  }

  @Test
  void idOf_inAnyCase_isTheSame() {
    assertEquals(13, MediaTypes.idOf("Text/PLAIN"));
  }

  @Test
  void unknownTypesAndNumbers_haveNone() {
    assertEquals(0, MediaTypes.idOf("a/b"));
    for (int id : new int[] {Integer.MIN_VALUE, -1, 0, 16, 18, Integer.MAX_VALUE}) {
      assertNull(MediaTypes.nameOf(id));
    }
  }

  @Test
  void nameOf_andBack_isTheSame() {
    for (int id = 1; id <= 17; id++) {
      String name = MediaTypes.nameOf(id);
      if (name != null) {
        assertEquals(id, MediaTypes.idOf(name));
      }
    }
  }
}
