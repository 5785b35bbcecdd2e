package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.server.net.ServerStopping;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests on clustered caches that may have to wait; the test decides when they end. */
class AsideRequestsTest extends WaitingRequests {
  /*
   * Each kind of request has its own way aside: single keys, several keys, sizes, iterations, and
   * writes that are decided twice. The rules for them are the same, and so are the tests: nothing
   * is answered before the wait is over, answers keep the order of requests where they must, and
   * places and memory are given back.
   */

  private static final int REMOVE = 0x0B;
  private static final int SIZE = 0x29;
  private static final int PUT_ALL = 0x2D;
  private static final int GET_ALL = 0x2F;
  private static final int ITERATION_START = 0x31;
  private static final int ITERATION_NEXT = 0x33;
  private static final int ITERATION_END = 0x35;

  @Test
  void operations_thatNeedNotWait_areDoneAtOnce() {
    send(put("k", new byte[] {'v'}).id(1), get("k").id(2));
    send(new RequestBytes(41, GET_ALL).vInt(2).string("k").string("none").id(3));
    assertEquals(List.of(1L, 2L, 3L), ids());
    assertTrue(server.aside.isEmpty());
  }

  @Test
  void requestThatWaits_doesNotDelayOthers() {
    engine.letWait("far");
    send(put("far", new byte[] {1}).id(1), put("near", new byte[] {2}).id(2), get("near").id(3));
    send(get("far").id(4), get("near").id(5));
    assertEquals(List.of(2L, 3L, 5L), ids());
    assertEquals(2, server.aside.size());
    finishAll();
    List<Response> late = connection.responses(41);
    assertEquals(List.of(1L, 4L), late.stream().map(Response::id).toList());
    assertEquals("01", late.get(1).field("value"));
  }

  @Test
  void writesThatCanBeBegun_needNoThread_andAreAnsweredWhenTheyEnd() {
    engine.letWait("far");
    engine.beginsWrites = true;
    send(put("far", new byte[] {1}).id(1), put("near", new byte[] {2}).id(2));
    assertEquals(List.of(2L), ids());
    assertTrue(server.aside.isEmpty());
    endOne();
    assertEquals(List.of(1L), ids());
    send(put("far", new byte[] {3}).flags(1).id(3));
    endOne();
    Response withPrevious = connection.responses(41).get(0);
    assertEquals(3, withPrevious.status());
    assertEquals("01", withPrevious.field("previous"));
    send(new RequestBytes(41, REMOVE).string("far").id(4), get("far").id(5));
    endOne();
    assertEquals(List.of(4L), ids());
    finishAll();
    assertEquals(2, connection.responses(41).get(0).status());
  }

  @Test
  void writesThatWereBegun_andEndTogether_areAnsweredTogether() {
    engine.letAllWait();
    engine.beginsWrites = true;
    send(put("a", new byte[] {1}).id(1), put("b", new byte[] {2}).id(2));
    engine.begun.remove().run();
    engine.begun.remove().run();
    connection.runPendingTasks();
    assertEquals(1, connection.channel.outboundMessages().size());
    assertEquals(List.of(1L, 2L), ids());
  }

  @Test
  void writeThatWasBegun_andFails_isAnsweredAndLeavesNothingBehind() {
    engine.letWait("far");
    engine.beginsWrites = true;
    engine.before =
        _ -> {
          throw new RetryableGridException("no primary");
        };
    send(put("far", new byte[] {1}).id(1));
    endOne();
    assertEquals(0x87, connection.responses(41).get(0).status());
    engine.before = _ -> {};
    engine.beginsWrites = false;
    send(put("far", new byte[] {2}).id(2));
    finishOne();
    assertEquals(List.of(2L), ids());
  }

  @Test
  void writeThatWasBegun_onAConnectionThatEnds_isForgotten() {
    engine.letWait("far");
    engine.beginsWrites = true;
    send(put("far", new byte[] {1}).id(1));
    connection.close();
    engine.begun.remove().run();
    connection.runPendingTasks();
    TestServer.Connection other = server.connect();
    other.send(put("far", new byte[] {2}).id(2).bytes());
    engine.begun.remove().run();
    other.runPendingTasks();
    assertEquals(List.of(2L), other.responses(41).stream().map(Response::id).toList());
    other.close();
  }

  @Test
  void clientThatWaitsForEachAnswer_getsThem() {
    engine.letWait("far");
    for (long i = 0; i < 100; i++) {
      send(put("far", new byte[] {(byte) i}).id(2 * i));
      finishOne();
      assertEquals(List.of(2 * i), ids());
      send(get("far").id(2 * i + 1));
      finishOne();
      assertEquals("%02x".formatted(i), connection.responses(41).get(0).field("value"));
    }
  }

  @Test
  void repliesThatAreDoneTogether_areSentTogether() {
    engine.letWait("far");
    send(get("far").id(1), get("far").id(2), get("far").id(3));
    for (int i = 0; i < 3; i++) {
      server.aside.removeLast().run();
    }
    connection.runPendingTasks();
    assertEquals(1, connection.channel.outboundMessages().size());
    assertEquals(List.of(3L, 2L, 1L), ids());
  }

  @Test
  void operationsOnManyKeys_areDoneAside() {
    engine.letWait("far");
    send(new RequestBytes(41, PUT_ALL).u8(0x88).vInt(1).string("a").string("b").id(1));
    send(new RequestBytes(41, GET_ALL).vInt(2).string("a").string("far").id(2));
    send(new RequestBytes(41, SIZE).id(3));
    assertEquals(3, server.aside.size());
    finishAll();
    List<Response> responses = connection.responses(41);
    assertEquals(List.of(1L, 2L, 3L), responses.stream().map(Response::id).toList());
    assertEquals("61=62", responses.get(1).field("entry"));
    assertEquals("1", responses.get(2).field("size"));
  }

  @Test
  void iteration_ofClusteredCache_isDoneAside() {
    IntStream.range(0, 50).forEach(i -> send(put("k" + i, new byte[] {1})));
    connection.received();
    send(
        new RequestBytes(41, ITERATION_START).u8(1).u8(1).vInt(40).u8(0).id(1),
        new RequestBytes(41, ITERATION_NEXT).string("1").id(2),
        new RequestBytes(41, ITERATION_NEXT).string("1").id(3));
    assertEquals(List.of(1L), ids());
    finishAll();
    List<Response> batches = connection.responses(41);
    assertEquals(List.of("40", "10"), batches.stream().map(b -> b.field("count")).toList());
  }

  private static RequestBytes startIteration(int batch) {
    return new RequestBytes(41, ITERATION_START).u8(1).u8(1).vInt(batch).u8(0);
  }

  private Response next() {
    RequestBytes next = new RequestBytes(41, ITERATION_NEXT).string("1");
    send(next);
    finishAll();
    return connection.response(next);
  }

  @Test
  void iteration_whoseNodesCantBeReached_isBegunWithoutAWait() {
    send(put("k", new byte[] {1}));
    connection.received();
    engine.before =
        _ -> {
          throw new RetryableGridException("no majority");
        };
    assertEquals(0, connection.call(startIteration(40)).status());
    assertEquals(0x87, next().status());
    engine.before = _ -> {};
    assertEquals("6b=01", next().field("entry"));
    assertEquals("0", next().field("count"));
  }

  @Test
  void iteration_thatLosesItsNodesAfterSomeEntries_ends() {
    IntStream.range(0, 50).forEach(i -> send(put("k" + i, new byte[] {1})));
    connection.received();
    int[] calls = {0};
    engine.before =
        _ -> {
          if (++calls[0] == engine.segmentCount()) {
            throw new RetryableGridException("no answer");
          }
        };
    assertEquals(0, connection.call(startIteration(100)).status());
    assertEquals(0x87, next().status());
    Response unknown = next();
    assertEquals(5, unknown.status());
    assertEquals("0", unknown.field("count"));
  }

  @Test
  void iteration_thatIsEndedWhileItsEntriesAreRead_doesNotLookComplete() {
    send(put("k", new byte[] {1}));
    connection.received();
    assertEquals(0, connection.call(startIteration(40)).status());
    engine.before =
        _ -> {
          engine.before = _ -> {};
          send(new RequestBytes(41, ITERATION_END).string("1").id(9));
        };
    send(new RequestBytes(41, ITERATION_NEXT).string("1").id(8));
    finishAll();
    List<Response> responses = connection.responses(41);
    assertEquals(List.of(9L, 8L), responses.stream().map(Response::id).toList());
    assertEquals(List.of(0, 5), responses.stream().map(Response::status).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {31, 41})
  void previousValue_thatIsGoneWhenTheWriteIsDone_isNotSent(int version) {
    engine.letWait("far");
    RequestBytes put = new RequestBytes(version, 0x01).flags(1).string("far").u8(0x88).string("v");
    RequestBytes remove = new RequestBytes(version, REMOVE).flags(1).string("far");
    for (RequestBytes request : List.of(put, remove)) {
      send(put("far", new byte[] {1}));
      finishAll();
      connection.received();
      engine.decidesTwice = true;
      engine.before =
          _ -> {
            engine.before = _ -> {};
            engine.decidesTwice = false;
            BinaryKey key = BinaryKey.of("far".getBytes(StandardCharsets.UTF_8));
            engine.write(key, key.hash(), new KeyWrite<BinaryKey, Bytes>().remove());
          };
      send(request);
      finishAll();
      Response response = connection.response(request);
      assertEquals(request.equals(put) ? 3 : 2, response.status());
      assertEquals(request.equals(put) ? List.of("") : List.of(), response.all("previous"));
    }
  }

  @Test
  void moreRequestsThanTheLimit_areNotRead() {
    engine.letWait("far");
    int limit = AsideRequests.COUNT_MAX;
    for (int i = 0; i < limit + 10; i++) {
      send(get("far").id(i));
    }
    send(get("near").id(limit + 10));
    assertEquals(limit, server.aside.size());
    assertFalse(connection.channel.config().isAutoRead());
    assertEquals(List.of(), ids());
    finishOne();
    assertEquals(List.of(0L), ids());
    assertEquals(limit, server.aside.size());
    assertFalse(connection.channel.config().isAutoRead());
    finishAll();
    List<Long> rest = ids().stream().sorted().toList();
    assertEquals(LongStream.range(1, limit + 11).boxed().toList(), rest);
    assertTrue(connection.channel.config().isAutoRead());
  }

  @Test
  void moreBytesOfRequestsThanTheLimit_areNotRead() {
    engine.letWait("far");
    byte[] value = new byte[1_000_000];
    for (int i = 0; i < 20; i++) {
      send(put("far", value).id(i));
    }
    int started = server.aside.size();
    assertEquals(AsideRequests.SIZE_MAX / 1_000_100, started);
    assertFalse(connection.channel.config().isAutoRead());
    finishAll();
    assertEquals(20, ids().size());
  }

  @Test
  void moreBytesOfRepliesThanTheLimit_areNotMadeAtOnce() {
    engine.letWait("far");
    send(put("far", new byte[1_000_000]), get("far"));
    finishAll();
    connection.received();
    for (int i = 0; i < 20; i++) {
      send(get("far").id(i));
    }
    assertEquals(AsideRequests.SIZE_MAX / 1_000_010, server.aside.size());
    finishAll();
    assertEquals(20, ids().size());
  }

  @Test
  void requestThatNoOtherLeavesRoomFor_isTakenAlone() {
    engine.letWait("far");
    try (TestServer large = new TestServer(20 << 20);
        TestServer.Connection other = large.connect()) {
      large.clustered("c").letWait("far");
      large.runsAsideAtOnce = false;
      other.send(put("far", new byte[9 << 20]).bytes());
      assertEquals(1, large.aside.size());
      large.aside.remove().run();
      other.runPendingTasks();
      assertEquals(0, other.responses(41).get(0).status());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, AsideRequest.COPIED_SIZE_MAX, 100_000})
  void bytesOfRequest_stayWhileItWaits(int size) {
    engine.letWait("far");
    byte[] value = new byte[size];
    Arrays.fill(value, (byte) 7);
    send(put("far", value));
    byte[] other = new byte[size];
    for (int i = 0; i < 10; i++) {
      send(put("near", other));
    }
    finishAll();
    connection.received();
    send(get("far"));
    finishAll();
    assertEquals("07".repeat(size), connection.responses(41).get(0).field("value"));
  }

  @Test
  void connectionThatEndsWhileRequestsWait_leavesNothingBehind() {
    engine.letWait("far");
    send(put("far", new byte[100_000]), get("far"), get("far"));
    server.aside.remove().run();
    connection.channel.close();
    finishAll();
    connection.received();
    assertEquals(0, connection.usedMemory());
  }

  @Test
  void stopOfTheServer_letsRequestsBeAnsweredAndBeginsNoOthers() {
    List<Object> events = new ArrayList<>();
    connection
        .channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void userEventTriggered(ChannelHandlerContext context, Object event) {
                events.add(event);
              }
            });
    engine.letWait("far");
    send(get("far").id(1));
    connection.channel.pipeline().fireUserEventTriggered(ServerStopping.EVENT);
    send(get("near").id(2));
    assertEquals(List.of(), events);
    finishOne();
    assertEquals(List.of(ServerStopping.EVENT), events);
    assertEquals(List.of(1L), ids());
  }

  @Test
  void endOfInput_isPassedOnAfterTheLastReply() {
    List<Object> events = new ArrayList<>();
    connection
        .channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void userEventTriggered(ChannelHandlerContext context, Object event) {
                events.add(event);
              }
            });
    engine.letWait("far");
    send(get("far"), get("far"));
    connection.channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    finishOne();
    assertEquals(List.of(), events);
    finishOne();
    assertEquals(List.of(ChannelInputShutdownEvent.INSTANCE), events);
    assertEquals(2, ids().size());
  }

  private int statusAfter(RuntimeException failure) {
    engine.letWait("far");
    engine.before =
        _ -> {
          throw failure;
        };
    send(new RequestBytes(41, REMOVE).string("far"));
    finishAll();
    Response response = connection.responses(41).get(0);
    assertTrue(response.field("message").endsWith(String.valueOf(failure.getMessage())));
    return response.status();
  }

  @Test
  void operationThatMayBeTriedAgain_isAnsweredSo() {
    assertEquals(0x87, statusAfter(new RetryableGridException("no primary")));
  }

  @Test
  void operationOfUnknownOutcome_isAnsweredAsTimeout() {
    assertEquals(0x86, statusAfter(new IndeterminateGridException("no answer")));
  }

  @Test
  void errorInTheEngine_isAnswered() {
    engine.letWait("far");
    engine.before =
        _ -> {
          throw new AssertionError("broken");
        };
    send(get("far"));
    finishAll();
    assertEquals(0x85, connection.responses(41).get(0).status());
  }

  /** Connections of one server with a number of places. */
  private List<EmbeddedChannel> channels(AsidePool pool, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new EmbeddedChannel(TestServer.newConnection(pool, server.ownEndpoint)))
        .toList();
  }

  private void send(EmbeddedChannel channel, RequestBytes request) {
    channel.writeInbound(connection.allocator.buffer().writeBytes(request.bytes()));
  }

  @Test
  void moreRequestsThanTheServersLimit_areRefused() {
    engine.letWait("far");
    AsidePool pool = new AsidePool(server.context, 2);
    List<EmbeddedChannel> channels = channels(pool, 3);
    for (int i = 0; i < 3; i++) {
      send(channels.get(i), get("far").id(i));
    }
    ByteBuf out = channels.get(2).readOutbound();
    Response refusal = Response.read(new WireInput(bytes(out)), 41, 0);
    assertEquals(2, refusal.id());
    assertEquals(0x87, refusal.status());
    assertTrue(refusal.field("message").startsWith("SuspectException: "));
    assertEquals(2, pool.places(false).taken());
    server.aside.forEach(Runnable::run);
    server.aside.clear();
    channels.forEach(EmbeddedChannel::runPendingTasks);
    assertEquals(0, pool.places(false).taken());
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  @Test
  void connectionsThatTakeAllTheyGet_leavePlacesForOthers() {
    engine.letWait("far");
    AsidePool pool = new AsidePool(server.context, 100);
    List<EmbeddedChannel> channels = channels(pool, 5);
    for (EmbeddedChannel channel : channels.subList(0, 4)) {
      for (int i = 0; i < 100; i++) {
        send(channel, get("far").id(i));
      }
    }
    assertTrue(pool.places(false).taken() < 100, "taken=" + pool.places(false).taken());
    EmbeddedChannel last = channels.get(4);
    send(last, get("far").id(7));
    assertNull(last.readOutbound());
    while (!server.aside.isEmpty()) {
      server.aside.remove().run();
      channels.forEach(EmbeddedChannel::runPendingTasks);
    }
    for (EmbeddedChannel channel : channels) {
      int answers = 0;
      for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
        WireInput in = new WireInput(bytes(out));
        for (; in.hasMore(); answers++) {
          assertEquals(2, Response.read(in, 41, 0).status()); // there is no such entry
        }
      }
      assertEquals(channel.equals(last) ? 1 : 100, answers);
      channel.finishAndReleaseAll();
    }
    assertEquals(0, pool.places(false).taken());
  }

  @Test
  void listenersWithState_takeNoPlacesOfOtherRequestsAndFewOfTheirOwn() {
    engine.letAllWait();
    AsidePool pool = new AsidePool(server.context, 100);
    EmbeddedChannel channel = channels(pool, 1).getFirst();
    for (int i = 0; i < 50; i++) {
      RequestBytes add =
          new RequestBytes(41, 0x25).string("L" + i).u8(1).string("").string("").u8(0).vInt(0);
      send(channel, add.id(i));
    }
    assertEquals(AsideRequests.STATES_MAX, pool.places(true).taken());
    assertEquals(0, pool.places(false).taken());
    while (!server.aside.isEmpty()) {
      server.aside.remove().run();
      channel.runPendingTasks();
    }
    assertEquals(0, pool.places(true).taken());
    channel.finishAndReleaseAll();
  }

  private static byte[] bytes(ByteBuf buffer) {
    byte[] bytes = ByteBufUtil.getBytes(buffer);
    buffer.release();
    return bytes;
  }
}
