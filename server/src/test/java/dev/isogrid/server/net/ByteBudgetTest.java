package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {
  private static final long AGE = 1000;

  private long now;
  private final ByteBudget budget = new ByteBudget("bytes", 1000, AGE, () -> now);
  private final List<String> asked = new ArrayList<>();

  private ByteBudget.Share share(String name) {
    return budget.newShare(() -> asked.add(name));
  }

  @Test
  void oneHolder_getsHalf() {
    ByteBudget.Share one = share("one");
    assertTrue(one.tryTake(500));
    assertFalse(one.tryTake(1));
    one.give(500);
    assertEquals(0, budget.used());
  }

  @Test
  void whenLittleIsFree_theOneWithMostIsAskedOnceItIsOld() {
    ByteBudget.Share most = share("most");
    ByteBudget.Share second = share("second");
    ByteBudget.Share third = share("third");
    assertTrue(most.tryTake(500));
    assertTrue(second.tryTake(250));
    assertTrue(third.tryTake(100));
    assertEquals(List.of(), asked);
    now = AGE + 1_000_000_000;
    assertFalse(third.tryTake(1000));
    assertFalse(third.tryTake(1000));
    assertEquals(List.of("most"), asked);
    most.give(500);
    assertTrue(third.tryTake(1));
    assertTrue(second.tryTake(150));
    now += AGE + 1_000_000_000;
    assertFalse(third.tryTake(1000));
    assertEquals(List.of("most", "second"), asked);
    second.close();
    third.tryTake(1000);
    assertEquals(List.of("most", "second", "third"), asked);
  }

  @Test
  void bytesOfAnother_areJoinedWithinTheHoldersPartOnly() {
    ByteBudget.Share one = share("one");
    ByteBudget.Share two = share("two");
    assertTrue(one.tryTake(500));
    assertFalse(two.tryJoin(501));
    assertEquals(0, two.held());
    assertTrue(two.tryJoin(500));
    assertFalse(two.tryJoin(1));
  }

  @Test
  void whenLittleIsLeft_theOneWithMostIsAsked_thoughNobodyIsRefused() {
    ByteBudget.Share most = share("most");
    ByteBudget.Share second = share("second");
    assertTrue(most.tryTake(500));
    now = AGE;
    assertTrue(second.tryTake(249));
    assertEquals(List.of(), asked);
    assertTrue(share("third").tryTake(2));
    assertEquals(List.of("most"), asked);
  }

  @Test
  void bytesThatAreUsedAlready_countBeyondTheBudget_andLetTheOneWithMostBeAsked() {
    ByteBudget.Share most = share("most");
    now = AGE;
    most.take(750);
    assertEquals(List.of(), asked);
    now = 2 * AGE;
    share("second").take(400);
    assertEquals(1150, budget.used());
    assertEquals(List.of("most"), asked);
  }

  @Test
  void whenNobodyIsOldEnough_theNextSearchWaits() {
    ByteBudget.Share one = share("one");
    assertTrue(one.tryTake(500));
    now = AGE - 1;
    assertFalse(one.tryTake(1));
    now = AGE;
    assertFalse(one.tryTake(1));
    assertEquals(List.of(), asked);
    now = AGE - 1 + 100_000_000;
    assertFalse(one.tryTake(1));
    assertEquals(List.of("one"), asked);
  }

  @Test
  void holderThatNeverGivesBack_isNotAsked() {
    ByteBudget.Share silent = budget.newShare();
    ByteBudget.Share other = share("other");
    assertTrue(silent.tryTake(500));
    assertTrue(other.tryTake(100));
    now = AGE;
    assertFalse(other.tryTake(1000));
    assertEquals(List.of("other"), asked);
  }

  @Test
  void joinedBytes_countForEachHolderAndOnceForAll() {
    ByteBudget.Share one = share("one");
    ByteBudget.Share two = share("two");
    assertTrue(one.tryTake(400));
    assertTrue(two.tryJoin(400));
    assertFalse(two.tryTake(200));
    assertEquals(400, budget.used());
    one.leave(400);
    assertEquals(0, one.held());
    two.give(400);
    assertEquals(0, budget.used());
  }

  @Test
  void randomHolders_neverGoBeyondTheBudget() {
    SplittableRandom random = new SplittableRandom(1);
    List<ByteBudget.Share> shares = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      shares.add(share("s" + i));
    }
    for (int i = 0; i < 10_000; i++) {
      ByteBudget.Share share = shares.get(random.nextInt(shares.size()));
      if (share.held() > 0 && random.nextBoolean()) {
        share.give(random.nextLong(share.held() + 1));
      } else {
        share.tryTake(random.nextLong(300));
      }
      assertEquals(shares.stream().mapToLong(ByteBudget.Share::held).sum(), budget.used());
      assertTrue(budget.used() <= budget.max());
    }
  }
}
