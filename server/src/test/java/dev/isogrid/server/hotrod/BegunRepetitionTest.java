package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writes that a client may repeat, and that are begun without a thread. */
class BegunRepetitionTest extends WaitingRequests {
  @Test
  void writeThatWasBegun_andMayBeRepeated_takesEffectOnce() {
    engine.letWait("far");
    engine.beginsWrites = true;
    send(put("far", new byte[] {1}).session(5, 1, -1).id(1));
    assertTrue(server.aside.isEmpty());
    TestServer.Connection other = server.connect(protocol);
    other.send(put("far", new byte[] {1}).session(5, 1, 20).id(2).bytes());
    Thread repetition = Thread.ofPlatform().start(server.aside.remove());
    Await.until("the repetition waits", () -> isWaiting(repetition));
    endOne();
    assertEquals(List.of(1L), ids());
    join(repetition);
    other.runPendingTasks();
    // As after the loss of this server, the cluster is asked, which this engine stands in for.
    assertEquals(2, engine.clients.size());
    assertEquals(engine.clients.getFirst().id(), engine.clients.getLast().id());
    assertEquals(List.of(2L), other.responses(41).stream().map(Response::id).toList());
    other.close();
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @Test
  void writeThatWasBegun_andIsForgotten_letsItsRepetitionBegin() {
    engine.letWait("far");
    engine.beginsWrites = true;
    TestServer.Connection first = server.connect(protocol);
    first.send(put("far", new byte[] {1}).session(5, 1, -1).id(1).bytes());
    first.close();
    engine.begun.remove().run();
    first.runPendingTasks();
    send(put("far", new byte[] {1}).session(5, 1, 20).id(2));
    finishOne();
    assertEquals(List.of(2L), ids());
  }

  @Test
  void writeThatWasBegunOnThisServerAlone_andWhoseConnectionEnds_isAnsweredToItsRepetition() {
    engine.letWait("far");
    engine.beginsWrites = true;
    engine.remembersClients = false;
    TestServer.Connection first = server.connect(protocol);
    first.send(put("far", new byte[] {1}).session(5, 1, -1).id(1).bytes());
    first.close();
    engine.begun.remove().run();
    first.runPendingTasks();
    engine.beginsWrites = false;
    send(put("far", new byte[] {2}).id(2));
    finishOne();
    send(put("far", new byte[] {1}).session(5, 1, 20).id(3), get("far").id(4));
    finishAll();
    List<Response> responses = connection.responses(41);
    assertEquals(List.of(2L, 3L, 4L), responses.stream().map(Response::id).toList());
    assertEquals(0, responses.get(1).status());
    assertEquals("02", responses.get(2).field("value"));
  }

  @Test
  void writeThatMayBeRepeated_andCannotBeBegun_isDoneByAThread() {
    engine.letWait("far");
    send(put("far", new byte[] {1}).session(5, 1, -1).id(1));
    finishOne();
    send(put("far", new byte[] {1}).session(5, 2, -1).flags(1).id(2));
    finishOne();
    assertEquals(List.of(1L, 2L), ids());
  }
}
