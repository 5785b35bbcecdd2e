package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.StandInEngine;
import dev.isogrid.server.net.ServerStopping;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commands on a clustered cache that may have to wait; the test decides when they end. */
class WaitingTest {
  private final TestServer server = new TestServer();
  private final StandInEngine engine = server.cluster();
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
  private final EmbeddedChannel channel = server.connect();

  WaitingTest() {
    channel.config().setAllocator(allocator);
    server.world.runsAsideAtOnce = false;
    engine.letWait("far");
  }

  @AfterEach
  void close() {
    finishAll();
    channel.finishAndReleaseAll();
    server.close();
    assertEquals(0, allocator.metric().usedHeapMemory());
  }

  private String ask(String... lines) {
    return TestServer.ask(channel, lines);
  }

  private String finishOne() {
    server.world.aside.remove().run();
    channel.runPendingTasks();
    return TestServer.received(channel).replace("\r\n", "\n");
  }

  private String finishAll() {
    StringBuilder replies = new StringBuilder();
    while (!server.world.aside.isEmpty()) {
      replies.append(finishOne());
    }
    return replies.toString();
  }

  @Test
  void commandsOnKeysThatNeedNotWait_areDoneAtOnce() {
    assertEquals("STORED\nVALUE near 0 1\nx\nEND\n", ask("set near 0 0 1", "x", "get near"));
    assertTrue(server.world.aside.isEmpty());
  }

  @Test
  void arithmetic_isOneOperation() {
    assertEquals("STORED\n", ask("set near 0 0 1", "5"));
    assertEquals("7\n", ask("incr near 2"));
    assertTrue(engine.isOneOperation);
  }

  @Test
  void commandsAfterOneThatWaits_areAnsweredAfterIt() {
    assertEquals("", ask("set far 0 0 1", "x", "set near 0 0 1", "y", "get near"));
    assertEquals("", ask("get far"));
    assertEquals("STORED\nSTORED\nVALUE near 0 1\ny\nEND\nVALUE far 0 1\nx\nEND\n", finishOne());
    assertTrue(server.world.aside.isEmpty());
    assertTrue(channel.config().isAutoRead());
  }

  @Test
  void silentCommandThatWaits_keepsTheOrder() {
    assertEquals("", ask("set far 0 0 1 noreply", "1", "incr far 5 noreply", "incr far 1"));
    assertEquals("7\n", finishAll());
  }

  @Test
  void getOfManyKeys_waitsWhereItHasTo() {
    ask("set near 0 0 1", "n");
    ask("set far 0 0 1", "f");
    finishAll();
    assertEquals("VALUE near 0 1\nn\n", ask("get near far near none far"));
    assertEquals("VALUE far 0 1\nf\nVALUE near 0 1\nn\nVALUE far 0 1\nf\nEND\n", finishOne());
    assertTrue(server.world.aside.isEmpty());
  }

  @Test
  void getOfManyLargeValues_isHeldInPieces() {
    ask("set far 0 0 60000", "x".repeat(60_000));
    finishAll();
    ask("get" + " far".repeat(10));
    int rounds = 0;
    StringBuilder replies = new StringBuilder();
    while (!server.world.aside.isEmpty()) {
      server.world.aside.remove().run();
      assertTrue(allocator.metric().usedHeapMemory() < 200_000);
      channel.runPendingTasks();
      replies.append(TestServer.received(channel));
      rounds++;
    }
    assertEquals(5, rounds);
    assertTrue(replies.toString().endsWith("END\r\n"));
    assertEquals(10 * 60_000, replies.chars().filter(c -> c == 'x').count());
  }

  @Test
  void longGetOfOneKeyThatWaited_isForgottenWhenItIsAnswered() {
    assertEquals("", ask("get" + " ".repeat(CommandLine.LENGTH_USUAL) + "far"));
    assertEquals("END\n", finishOne());
    engine.letWaitNoLonger("far");
    assertEquals("END\n", ask("get far"));
    assertTrue(server.world.aside.isEmpty());
  }

  @Test
  void getOfVeryManyKeys_leavesTheEventLoop() {
    ask("set near 0 0 1", "n");
    String value = "VALUE near 0 1\nn\n";
    int few = Retrieval.LOOP_KEYS_MAX;
    assertEquals(value.repeat(few) + "END\n", ask("get" + " near".repeat(few)));
    assertEquals(value.repeat(few), ask("get" + " near".repeat(few) + " none near"));
    assertEquals(value + "END\n", finishOne());
    assertTrue(server.world.aside.isEmpty());
  }

  @Test
  void flush_isDoneWhereItMayBlock() {
    ask("set near 0 0 1", "n");
    assertEquals("", ask("flush_all", "get near"));
    assertEquals("OK\nEND\n", finishOne());
  }

  @Test
  void setThatIsTooLarge_removesTheEntryThatWaits() {
    ask("set far 0 0 1", "x");
    finishAll();
    String line = "set far 0 0 " + (TestServer.CONTENT_LENGTH_MAX + 1);
    assertEquals("", ask(line));
    assertEquals("SERVER_ERROR object too large for cache\n", finishOne());
    ask("y".repeat(TestServer.CONTENT_LENGTH_MAX + 1), "get far");
    assertEquals("END\n", finishAll());
  }

  @Test
  void operationThatFails_isAnsweredAndTheNextOnesGoOn() {
    engine.before =
        _ -> {
          throw new RetryableGridException("no primary; try again");
        };
    ask("set far 0 0 1", "x", "get near", "get near far near", "version");
    assertEquals("SERVER_ERROR no primary; try again\nEND\n", finishOne());
    assertEquals(
        "SERVER_ERROR no primary; try again\nVERSION " + TestServer.VERSION + "\n", finishOne());
    engine.before =
        _ -> {
          throw new IndeterminateGridException("no answer in time");
        };
    ask("delete far");
    assertEquals("SERVER_ERROR no answer in time\n", finishOne());
  }

  @Test
  void errorInTheEngine_endsTheConnection() {
    engine.before =
        _ -> {
          throw new AssertionError("broken");
        };
    List<Throwable> failures = new ArrayList<>();
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                failures.add(cause);
                context.close();
              }
            });
    ask("set far 0 0 1", "x");
    finishOne();
    assertEquals(1, failures.size());
    assertFalse(channel.isOpen());
  }

  @Test
  void connectionThatEndsWhileACommandWaits_leavesNothingBehind() {
    ask("set far 0 0 100000", "x".repeat(100_000), "get far");
    ask("get near");
    channel.close();
    finishAll();
    TestServer.received(channel);
    assertEquals(0, allocator.metric().usedHeapMemory());
  }

  @Test
  void stopOfTheServer_letsTheCommandBeAnsweredAndBeginsNoOther() {
    List<Object> events = new ArrayList<>();
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void userEventTriggered(ChannelHandlerContext context, Object event) {
                events.add(event);
              }
            });
    ask("set far 0 0 1", "x", "flush_all", "get near");
    channel.pipeline().fireUserEventTriggered(ServerStopping.EVENT);
    assertEquals(List.of(), events);
    assertEquals("STORED\n", finishOne());
    assertTrue(server.world.aside.isEmpty());
    assertEquals(List.of(ServerStopping.EVENT), events);
  }

  @Test
  void endOfInput_isPassedOnAfterTheReplies() {
    List<Object> events = new ArrayList<>();
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void userEventTriggered(ChannelHandlerContext context, Object event) {
                events.add(event);
              }
            });
    ask("set far 0 0 1", "x", "get far");
    channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    assertEquals(List.of(), events);
    assertEquals("STORED\nVALUE far 0 1\nx\nEND\n", finishOne());
    assertEquals(List.of(ChannelInputShutdownEvent.INSTANCE), events);
  }
}
