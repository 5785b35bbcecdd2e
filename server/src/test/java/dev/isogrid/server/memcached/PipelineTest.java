package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.StandInEngine;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many commands of one connection that wait at the same time; the test ends them in any order. */
class PipelineTest {
  private static final int RANDOM_COMMANDS = 2000;

  private final TestServer server = new TestServer();
  private final StandInEngine engine = server.cluster();
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
  private final EmbeddedChannel channel = server.connect();

  PipelineTest() {
    channel.config().setAllocator(allocator);
    server.world.runsAsideAtOnce = false;
    engine.letAllWait();
  }

  @AfterEach
  void close() {
    finishAll();
    channel.finishAndReleaseAll();
    server.close();
    assertEquals(0, allocator.metric().usedHeapMemory());
    assertEquals(0, allocator.metric().usedDirectMemory());
  }

  private String ask(String... lines) {
    return TestServer.ask(channel, lines);
  }

  private String finish(Runnable task) {
    task.run();
    channel.runPendingTasks();
    return TestServer.received(channel).replace("\r\n", "\n");
  }

  private String finishFirst() {
    return finish(server.world.aside.removeFirst());
  }

  private String finishLast() {
    return finish(server.world.aside.removeLast());
  }

  private String finishAll() {
    StringBuilder replies = new StringBuilder();
    while (!server.world.aside.isEmpty()) {
      replies.append(finishFirst());
    }
    return replies.toString();
  }

  private int waiting() {
    return server.world.aside.size();
  }

  private static String[] sets(int count, String value) {
    return IntStream.range(0, count)
        .mapToObj(i -> "set k%d 0 0 %d\r\n%s".formatted(i, value.length(), value))
        .toArray(String[]::new);
  }

  @Test
  void commandsAboutDifferentKeys_waitTogetherAndAreAnsweredInOrder() {
    assertEquals("", ask("set a 0 0 1", "x", "incr b 1", "get c", "mn"));
    assertEquals(3, waiting());
    assertEquals("", finishLast());
    assertEquals("", finishLast());
    assertEquals("STORED\nNOT_FOUND\nEND\nMN\n", finishLast());
  }

  @Test
  void commandsAboutOneKey_areDoneInTheirOrder() {
    assertEquals("", ask("set a 0 0 1 noreply", "1", "incr a 5", "get a", "set b 0 0 1", "2"));
    assertEquals(2, waiting());
    assertEquals("", finishLast());
    assertEquals("6\nVALUE a 0 1\n6\nEND\nSTORED\n", finishLast());
  }

  @Test
  void replyAfterSilentCommands_comesWhenTheyAreDone() {
    assertEquals("", ask("set a 0 0 1 noreply", "1", "ms b 1 q", "2", "mn"));
    assertEquals("", finishLast());
    assertEquals("MN\n", finishLast());
  }

  @Test
  void getOfSeveralKeys_flushAndStats_waitForAllBefore() {
    for (String command : List.of("get a b", "flush_all", "stats settings")) {
      assertEquals("", ask("set a 0 0 1", "1", "set b 0 0 1", "2", command, "set a 0 0 1", "3"));
      assertEquals(2, waiting(), command);
      assertEquals("STORED\nSTORED\n", finishFirst() + finishFirst());
      assertEquals(1, waiting(), command);
      assertTrue(finishFirst().endsWith(command.equals("flush_all") ? "OK\n" : "END\n"));
      assertEquals("STORED\n", finishAll());
    }
  }

  @Test
  void moreCommandsThanFit_waitUntilOneIsDone() {
    int count = AsideCommands.COUNT_MAX;
    ask(sets(count + 2, "x"));
    assertEquals(count, waiting());
    assertFalse(channel.config().isAutoRead());
    assertEquals("STORED\n", finishFirst());
    assertEquals(count, waiting());
    String rest = finishAll();
    assertEquals("STORED\n".repeat(count + 1), rest);
    assertTrue(channel.config().isAutoRead());
  }

  @Test
  void largeBlocks_takeABoundedAmountOfMemory() {
    int size = TestServer.CONTENT_LENGTH_MAX;
    int fitting = AsideCommands.SIZE_MAX / size;
    for (String set : sets(fitting + 2, "x".repeat(size))) {
      ask(set);
    }
    assertEquals(fitting, waiting());
    assertFalse(channel.config().isAutoRead());
    assertEquals("STORED\n".repeat(fitting + 2), finishAll());
  }

  @Test
  void largeReplies_areExpectedWhenTheyCameBefore() {
    int size = TestServer.CONTENT_LENGTH_MAX;
    ask(sets(1, "x".repeat(size)));
    finishAll();
    ask("get k0");
    finishAll();
    ask(IntStream.range(0, 50).mapToObj(i -> "get k0").toArray(String[]::new));
    ask(IntStream.range(0, 50).mapToObj(i -> "get none" + i).toArray(String[]::new));
    assertTrue(waiting() <= AsideCommands.SIZE_MAX / size, () -> "waiting: " + waiting());
    assertTrue(finishAll().endsWith("END\n".repeat(50)));
  }

  @Test
  void errorInTheMiddle_isAnsweredInItsPlace() {
    engine.before =
        hash -> {
          if (hash == StandInEngine.hash("b")) {
            throw new RetryableGridException("no primary; try again");
          }
        };
    ask("set a 0 0 1", "1", "set b 0 0 1", "2", "nonsense", "set c 0 0 x", "set c 0 0 1", "3");
    assertEquals("", finishLast());
    assertEquals("", finishLast());
    assertEquals(
        "STORED\nSERVER_ERROR no primary; try again\nERROR\n"
            + "CLIENT_ERROR bad command line format\nSTORED\n",
        finishLast());
  }

  @Test
  void quitInTheMiddle_closesAfterTheReplies() {
    ask("set a 0 0 1", "1", "set b 0 0 1", "2", "quit", "set c 0 0 1", "3");
    assertEquals(2, waiting());
    assertEquals("STORED\n", finishFirst());
    assertTrue(channel.isOpen());
    assertEquals("STORED\n", finishFirst());
    assertFalse(channel.isOpen());
    assertEquals(0, waiting());
  }

  @Test
  void connectionThatEnds_leavesNothingBehind() {
    ask(sets(AsideCommands.COUNT_MAX + 3, "x".repeat(3000)));
    ask("get k1", "set unfinished 0 0 10");
    finishLast();
    channel.close();
    finishAll();
    TestServer.received(channel);
    assertEquals(0, allocator.metric().usedHeapMemory());
    assertEquals(0, allocator.metric().usedDirectMemory());
  }

  @Test
  void randomCommands_endedInRandomOrder_areAnsweredAsIfOneAfterTheOther() {
    long seed = Long.getLong("seed", new Random().nextLong());
    Random random = new Random(seed);
    Map<String, Integer> model = new HashMap<>();
    List<String> expected = new ArrayList<>();
    StringBuilder received = new StringBuilder();
    for (int i = 0; i < RANDOM_COMMANDS; i++) {
      received.append(ask(command(random, i, model, expected)));
      if (random.nextInt(3) == 0 && !server.world.aside.isEmpty()) {
        received.append(random.nextBoolean() ? finishFirst() : finishLast());
      }
    }
    received.append(finishAll());
    assertEquals(expected.stream().collect(Collectors.joining()), received.toString(), "" + seed);
  }

  /** A command, and its effect on the model. */
  private static String[] command(
      Random random, int number, Map<String, Integer> model, List<String> expected) {
    String key = "k" + random.nextInt(5);
    Integer before = model.get(key);
    return switch (random.nextInt(6)) {
      case 0 -> {
        model.put(key, number);
        expected.add("STORED\n");
        yield new String[] {"set %s 0 0 %d".formatted(key, ("" + number).length()), "" + number};
      }
      case 1 -> {
        model.put(key, number);
        yield new String[] {
          "set %s 0 0 %d noreply".formatted(key, ("" + number).length()), "" + number
        };
      }
      case 2 -> {
        expected.add(before == null ? "NOT_FOUND\n" : before + 1 + "\n");
        model.computeIfPresent(key, (_, value) -> value + 1);
        yield new String[] {"incr " + key + " 1"};
      }
      case 3 -> {
        expected.add(model.remove(key) == null ? "NOT_FOUND\n" : "DELETED\n");
        yield new String[] {"delete " + key};
      }
      case 4 -> {
        String other = "k" + random.nextInt(5);
        expected.add(value(key, before) + value(other, model.get(other)) + "END\n");
        yield new String[] {"get " + key + " " + other};
      }
      default -> {
        expected.add(value(key, before) + "END\n");
        yield new String[] {"get " + key};
      }
    };
  }

  private static String value(String key, @Nullable Integer value) {
    return value == null ? "" : "VALUE %s 0 %d\n%d\n".formatted(key, ("" + value).length(), value);
  }
}
