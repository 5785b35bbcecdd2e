package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Requirements;
import dev.isogrid.wire.Opcodes;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each operation has its line in the table of requirements. */
class RequirementsOfOperationsTest {
  @Test
  void operations_thatAreCarriedOut_areNamedInTheTable() {
    for (int operation : RequestLayout.supportedOperations()) {
      assertNotEquals(
          Permission.ADMIN.mask(), Requirements.hotRod(operation), Opcodes.describe(operation));
    }
    assertEquals(
        List.of(Opcodes.PING, Opcodes.AUTH_MECH_LIST, Opcodes.AUTH),
        Arrays.stream(RequestLayout.supportedOperations())
            .filter(operation -> Requirements.hotRod(operation) == Permission.PUBLIC)
            .boxed()
            .toList());
  }
}
