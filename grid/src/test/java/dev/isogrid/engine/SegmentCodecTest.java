package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.base.Seeds;
import dev.isogrid.cluster.CodecCheck;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.MessageLayout;
import dev.isogrid.cluster.RandomMembership;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SegmentMessage.Append;
import dev.isogrid.engine.SegmentMessage.Appended;
import dev.isogrid.engine.SegmentMessage.BaseAsked;
import dev.isogrid.engine.SegmentMessage.BaseTold;
import dev.isogrid.engine.SegmentMessage.Chunk;
import dev.isogrid.engine.SegmentMessage.ChunkStored;
import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.engine.SegmentMessage.Reply;
import dev.isogrid.engine.SegmentMessage.Status;
import dev.isogrid.engine.SegmentMessage.Sync;
import dev.isogrid.engine.SegmentMessage.Synced;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.ProtocolVersions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SegmentCodecTest {
  private final SegmentCodec codec = new SegmentCodec(new TestCommand.Codec());

  @BeforeEach
  void writeAllThatThisBuildKnows() {
    codec.write(ProtocolVersions.OF_BUILD.newest());
  }

  @Test
  void decode_ofWhatWasEncoded_isEqual() {
    Seeds.run(
        3000,
        random -> {
          Message message = new RandomMessages(random).message();
          byte[] bytes = codec.encode(message);
          Message decoded = codec.decode(bytes, 0, bytes.length);
          assertArrayEquals(bytes, codec.encode(decoded));
          if (!(message instanceof Chunk chunk && chunk.records() != null)) {
            assertEquals(message, decoded);
          }
        });
  }

  /** Connections read the next message into the array. */
  @Test
  void decode_ofAMessageThatDoesNotKeepItsArray_needsItNoMore() {
    Seeds.run(
        3000,
        random -> {
          byte[] bytes = codec.encode(new RandomMessages(random).message());
          byte[] array = bytes.clone();
          Message decoded = codec.decode(array, 0, array.length);
          if (!codec.keepsArray(MessageLayout.type(array, 0, array.length))) {
            random.nextBytes(array);
          }
          assertArrayEquals(bytes, codec.encode(decoded));
        });
  }

  @Test
  void isStream_ofAnAnswer_ifItHasMuch() {
    assertFalse(codec.isStream(reply(1000)));
    assertFalse(codec.isStream(reply(64 << 10)));
    assertTrue(codec.isStream(reply((64 << 10) + 1)));
    assertTrue(codec.isStream(reply(48 << 20)));
  }

  private static Reply reply(int bytes) {
    OperationId id = new OperationId(new SessionId(new NodeId(1, 2), 3), 4);
    return new Reply(3, 4, 2, id, 1, Status.DONE, true, ByteString.of(new byte[bytes]));
  }

  @Test
  void sizeBytes_ofWhatCarriesMuch_isAboutThat() {
    Seeds.run(
        1000,
        random -> {
          Message message = new RandomMessages(random).message();
          boolean hasRecords = message instanceof Chunk chunk && chunk.records() != null;
          if (codec.isStream(message) && !hasRecords) {
            int length = codec.encode(message).length;
            int size = codec.sizeBytes(message);
            assertTrue(size >= 0 && size <= 8 * length, () -> size + " of " + message);
          }
        });
    int bytes = 100_000;
    ByteString value = ByteString.of(new byte[bytes]);
    OperationId id = new OperationId(new SessionId(new NodeId(1, 2), 3), 4);
    LogEntry entry = new LogEntry(9, value, true, value, id, 3, null);
    for (Message each :
        List.of(
            new Append(1, 2, 3, List.of(entry), 8),
            new Sync(1, 2, 3, 8, 9, List.of(entry)),
            new CallMessage.Request(1, 2, 3, value),
            new CallMessage.Answer(1, 2, false, value))) {
      assertTrue(codec.sizeBytes(each) >= bytes, each::toString);
    }
  }

  @Test
  void decode_ofChunk_keepsWhatIsRemembered() throws Exception {
    RandomMessages messages = new RandomMessages(new Random(1));
    DedupTable table = messages.records();
    Chunk chunk = new Chunk(3, 4, 2, 0, 9, table, List.of(), List.of(), true);
    byte[] bytes = codec.encode(chunk);
    Chunk decoded = (Chunk) codec.decode(bytes, 0, bytes.length);
    DedupTable copy = decoded.records();
    assertEquals(table.records(), copy == null ? null : copy.records());
  }

  @Test
  void decode_ofRandomBytes_decodesOrRefuses() {
    Seeds.run(
        5000,
        random -> {
          byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? 20_000 : 100)];
          random.nextBytes(bytes);
          if (bytes.length > 1) {
            bytes[0] = (byte) ProtocolVersions.OF_BUILD.newest();
            bytes[1] = (byte) (SegmentLayout.OPERATION + random.nextInt(17));
          }
          CodecCheck.decodeAnything(codec, bytes);
        });
  }

  @Test
  void decode_ofMutatedMessages_decodesOrRefuses() {
    Seeds.run(
        5000,
        random -> {
          byte[] bytes = codec.encode(new RandomMessages(random).message());
          CodecCheck.decodeAnything(codec, CodecCheck.mutate(bytes, random));
        });
  }

  /** Draws messages of all kinds. */
  private static final class RandomMessages {
    private final Random random;
    private final RandomMembership membership;

    RandomMessages(Random random) {
      this.random = random;
      this.membership = new RandomMembership(random);
    }

    private CopyDelta delta() {
      long[] sums = random.longs(1 << random.nextInt(4)).toArray();
      return new CopyDelta(
          random.nextBoolean() ? Map.of() : Map.of(7, number()),
          random.nextBoolean() ? List.of() : List.of(new EntrySums(7, random.nextLong(), sums)),
          random.nextBoolean(),
          prints());
    }

    private List<EntryPrints> prints() {
      if (random.nextBoolean()) {
        return List.of();
      }
      BitSet buckets = BitSet.valueOf(random.longs(random.nextInt(4)).toArray());
      return List.of(
          new EntryPrints(4, buckets, random.longs(random.nextInt(5)).sorted().toArray()));
    }

    Message message() {
      int epoch = membership.count();
      int segment = membership.segment();
      int segEpoch = membership.count();
      return switch (random.nextInt(17)) {
        case 0 -> new Operation(epoch, segment, segEpoch, id(), number(), 3, command());
        case 1 ->
            new Reply(epoch, segment, segEpoch, id(), 2, status(), random.nextBoolean(), answer());
        case 2 -> new Append(epoch, segment, segEpoch, log(), number());
        case 3 ->
            new Appended(
                epoch,
                segment,
                segEpoch,
                number() - 1,
                number(),
                number(),
                random.nextBoolean(),
                random.nextBoolean());
        case 4 -> new Sync(epoch, segment, segEpoch, number(), number(), log());
        case 5 -> new Synced(epoch, segment, segEpoch);
        case 6 -> {
          DedupTable records = random.nextBoolean() ? records() : null;
          yield new Chunk(
              epoch,
              segment,
              segEpoch,
              7,
              number(),
              records,
              copied(),
              blocks(),
              random.nextBoolean() ? CopyDelta.NONE : delta(),
              random.nextBoolean());
        }
        case 7 -> new ChunkStored(epoch, segment, segEpoch, 5, number(), prints());
        case 16 ->
            new TracedOperation(
                trace(), new Operation(epoch, segment, segEpoch, id(), number(), 3, command()));
        case 14 -> new BaseAsked(epoch, segment, segEpoch, membership.count());
        case 15 -> new BaseTold(epoch, segment, segEpoch, membership.count(), Map.of(3, number()));
        case 8 ->
            new FeedMessage.Follow(
                epoch,
                segment,
                random.nextBoolean(),
                number(),
                List.of(new FeedMessage.Place(3, number() - 1), new FeedMessage.Place(0, 7)));
        case 9 ->
            new FeedMessage.Changes(
                epoch,
                segment,
                number(),
                List.of(
                    new FeedMessage.Part(
                        9, FeedMessage.Status.TOLD, number() - 1, number(), number(), followed())));
        case 10 ->
            new CallMessage.Request(
                epoch,
                number(),
                segment & 0xFF,
                RealCluster.bytes("do"),
                random.nextBoolean() ? trace() : null);
        case 11 ->
            new CallMessage.Answer(
                epoch, number(), random.nextBoolean(), RealCluster.bytes("done"));
        case 12 -> new CallMessage.Cancel(epoch, number());
        default -> membership.message();
      };
    }

    private CallTrace trace() {
      String state = "a".repeat(random.nextInt(CallTrace.STATE_LENGTH_MAX + 1));
      return new CallTrace("b".repeat(1 + random.nextInt(CallTrace.PARENT_LENGTH_MAX)), state);
    }

    private Status status() {
      return List.of(Status.DONE, Status.STALE, Status.SESSION_EXPIRED).get(random.nextInt(3));
    }

    private TestCommand command() {
      int opcode = random.nextInt(TestCommand.KINDS.size());
      return new TestCommand(TestCommand.KINDS.get(opcode), bytes(), bytes());
    }

    OperationId id() {
      return new OperationId(new SessionId(membership.node(), membership.count()), number());
    }

    private long number() {
      return random.nextLong(random.nextBoolean() ? 10 : Long.MAX_VALUE);
    }

    private ByteString bytes() {
      byte[] bytes = new byte[random.nextInt(random.nextInt(5) == 0 ? 2000 : 20)];
      random.nextBytes(bytes);
      return ByteString.of(bytes);
    }

    private @Nullable Object answer() {
      return switch (random.nextInt(4)) {
        case 0 -> null;
        case 1 -> random.nextBoolean();
        case 2 -> random.nextLong();
        default -> bytes();
      };
    }

    private List<LogEntry> log() {
      List<LogEntry> log = new ArrayList<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        boolean changes = random.nextBoolean();
        Object value = changes && random.nextBoolean() ? bytes() : null;
        if (changes && random.nextInt(4) == 0) {
          value = new ManyValues(Map.of(ByteString.of(new byte[] {1}), bytes()));
        }
        log.add(new LogEntry(number(), bytes(), changes, value, id(), number(), answer()));
      }
      return log;
    }

    private List<FollowedChange> followed() {
      List<FollowedChange> followed = new ArrayList<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        boolean hasValues = random.nextBoolean();
        ByteString value = hasValues && random.nextBoolean() ? bytes() : null;
        ByteString before = hasValues && random.nextBoolean() ? bytes() : null;
        followed.add(
            new FollowedChange(
                CacheEvent.Kind.REMOVED, bytes(), value, before, hasValues, number()));
      }
      return followed;
    }

    private List<CopiedEntry> copied() {
      List<CopiedEntry> copied = new ArrayList<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        copied.add(new CopiedEntry(bytes(), bytes(), number()));
      }
      return copied;
    }

    /** Blocks of entries with a key of one byte and a value of two. */
    private List<CopiedBlock> blocks() {
      List<CopiedBlock> blocks = new ArrayList<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        byte[] entries = {0, 0, 0, 7, 32, 1, 2, 'k', 'v', 'w', 5, 0, 0, 0, 4, 32, 0, 0, 9};
        blocks.add(new CopiedBlock(random.nextInt(9), entries, 0, entries.length, 2));
      }
      return blocks;
    }

    DedupTable records() {
      DedupTable table = new DedupTable();
      for (int i = random.nextInt(20) + 1; i > 0; i--) {
        OperationId id = new OperationId(new SessionId(membership.node(), 1), number());
        table.add(new LogEntry(number(), bytes(), false, null, id, 0, answer()), Long.MAX_VALUE);
        OperationId next = new OperationId(id.session(), number());
        table.add(new LogEntry(number(), bytes(), false, null, next, 0, answer()), Long.MAX_VALUE);
      }
      return table;
    }
  }
}
