package dev.isogrid.server.hotrod;

import dev.isogrid.wire.Opcodes;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of each operation's body, one character each. Unsupported operations are listed, too:
 * so their bodies can be skipped, and the connection continues.
 *
 * <pre>
 * k  bytes: the key                       n  i64: the version that the entry must have
 * v  bytes: the value                     i  vInt: a limit, a scope or a batch size
 * e  how long to live                     s  bytes: a name
 * L  vInt count, as many bytes            P  vInt count, as many pairs of bytes
 * S  optional bytes: a set of segments    F  optional bytes: a filter, then its parameters
 * M  byte, from 2.4 on: metadata wanted   D  byte, from 4.0 on: whether with duplicates
 * a  i64: a difference or a value         c  i64: another value
 * I  i32: the id of a stream              l  byte: the last chunk
 * C  the definition of a counter: byte, vInt if it is weak, two i64 if it is bounded, i64
 * A  bytes: a listener's filter           B  bytes: a listener's converter
 * Y  byte: the current state wanted       R  byte, from 2.1 on: raw data wanted
 * T  vInt, from 2.6 on: interests of a listener
 *
 * passed over:
 * b  bytes                                x  i64
 * u  byte                                 X  vInt count, as many changes of a transaction
 * </pre>
 *
 * The parameters of a filter are a byte, their number, and as many bytes; they are there only if
 * the filter's name is, and for {@code F} from 2.4 on only; a converter's likewise. For operations
 * on listeners, {@code k} is the listener's id, or the content of a near cache's filter.
 */
final class RequestLayout {
  private static final int OPERATIONS = 256;

  private static final @Nullable String[] LAYOUTS = new String[OPERATIONS];

  /** The supported operations, in ascending order; ping reports them to clients. */
  private static final int[] SUPPORTED;

  static {
    supported();
    SUPPORTED = IntStream.range(0, OPERATIONS).filter(o -> LAYOUTS[o] != null).toArray();
    skipped();
  }

  private RequestLayout() {}

  private static void supported() {
    LAYOUTS[Opcodes.PUT] = "kev";
    LAYOUTS[Opcodes.GET] = "k";
    LAYOUTS[Opcodes.PUT_IF_ABSENT] = "kev";
    LAYOUTS[Opcodes.REPLACE] = "kev";
    LAYOUTS[Opcodes.REPLACE_IF_UNMODIFIED] = "kenv";
    LAYOUTS[Opcodes.REMOVE] = "k";
    LAYOUTS[Opcodes.REMOVE_IF_UNMODIFIED] = "kn";
    LAYOUTS[Opcodes.CONTAINS_KEY] = "k";
    LAYOUTS[Opcodes.GET_WITH_VERSION] = "k";
    LAYOUTS[Opcodes.CLEAR] = "";
    LAYOUTS[Opcodes.STATS] = "";
    LAYOUTS[Opcodes.PING] = "";
    LAYOUTS[Opcodes.BULK_GET] = "i";
    LAYOUTS[Opcodes.GET_WITH_METADATA] = "k";
    LAYOUTS[Opcodes.BULK_GET_KEYS] = "i";
    LAYOUTS[Opcodes.AUTH_MECH_LIST] = "";
    LAYOUTS[Opcodes.AUTH] = "sv";
    LAYOUTS[Opcodes.SIZE] = "";
    LAYOUTS[Opcodes.EXEC] = "sP";
    LAYOUTS[Opcodes.PUT_ALL] = "eP";
    LAYOUTS[Opcodes.GET_ALL] = "L";
    LAYOUTS[Opcodes.ITERATION_START] = "SFiM";
    LAYOUTS[Opcodes.ITERATION_NEXT] = "s";
    LAYOUTS[Opcodes.ITERATION_END] = "s";
    LAYOUTS[Opcodes.ADD_CLIENT_LISTENER] = "kYABRT";
    LAYOUTS[Opcodes.REMOVE_CLIENT_LISTENER] = "k";
    LAYOUTS[Opcodes.ADD_BLOOM_LISTENER] = "ki";
    LAYOUTS[Opcodes.UPDATE_BLOOM_FILTER] = "k";
    streamsSupported();
    countersSupported();
    multimapsSupported();
  }

  private static void streamsSupported() {
    LAYOUTS[Opcodes.GET_STREAM] = "ki";
    LAYOUTS[Opcodes.PUT_STREAM] = "ken"; // chunks follow, which are not kept: ChunkedBody
    LAYOUTS[Opcodes.START_GET_STREAM] = "ki";
    LAYOUTS[Opcodes.NEXT_GET_STREAM] = "I";
    LAYOUTS[Opcodes.END_GET_STREAM] = "I";
    LAYOUTS[Opcodes.START_PUT_STREAM] = "ken";
    LAYOUTS[Opcodes.NEXT_PUT_STREAM] = "Ilv";
    LAYOUTS[Opcodes.END_PUT_STREAM] = "I";
  }

  private static void countersSupported() {
    LAYOUTS[Opcodes.COUNTER_CREATE] = "sC";
    LAYOUTS[Opcodes.COUNTER_GET_CONFIGURATION] = "s";
    LAYOUTS[Opcodes.COUNTER_IS_DEFINED] = "s";
    LAYOUTS[Opcodes.COUNTER_ADD_AND_GET] = "sa";
    LAYOUTS[Opcodes.COUNTER_RESET] = "s";
    LAYOUTS[Opcodes.COUNTER_GET] = "s";
    LAYOUTS[Opcodes.COUNTER_COMPARE_AND_SWAP] = "sac";
    LAYOUTS[Opcodes.COUNTER_ADD_LISTENER] = "sv";
    LAYOUTS[Opcodes.COUNTER_REMOVE_LISTENER] = "sv";
    LAYOUTS[Opcodes.COUNTER_REMOVE] = "s";
    LAYOUTS[Opcodes.COUNTER_GET_NAMES] = "";
    LAYOUTS[Opcodes.COUNTER_GET_AND_SET] = "sa";
  }

  private static void multimapsSupported() {
    LAYOUTS[Opcodes.GET_MULTIMAP] = "kD";
    LAYOUTS[Opcodes.GET_MULTIMAP_WITH_METADATA] = "kD";
    LAYOUTS[Opcodes.PUT_MULTIMAP] = "kevD";
    LAYOUTS[Opcodes.REMOVE_KEY_MULTIMAP] = "kD";
    LAYOUTS[Opcodes.REMOVE_ENTRY_MULTIMAP] = "kevD";
    LAYOUTS[Opcodes.SIZE_MULTIMAP] = "D";
    LAYOUTS[Opcodes.CONTAINS_ENTRY_MULTIMAP] = "kevD";
    LAYOUTS[Opcodes.CONTAINS_KEY_MULTIMAP] = "kD";
    LAYOUTS[Opcodes.CONTAINS_VALUE_MULTIMAP] = "evD";
  }

  private static void skipped() {
    LAYOUTS[Opcodes.QUERY] = "b";
    LAYOUTS[Opcodes.PREPARE_TX] = "ibbuX";
    LAYOUTS[Opcodes.PREPARE_TX_2] = "ibbuuxX";
    LAYOUTS[Opcodes.COMMIT_TX] = "ibb";
    LAYOUTS[Opcodes.ROLLBACK_TX] = "ibb";
    LAYOUTS[Opcodes.FORGET_TX] = "ibb";
    LAYOUTS[Opcodes.FETCH_IN_DOUBT_TX] = "";
  }

  /** The fields of an operation, or null if the operation is unknown. */
  static @Nullable String of(int operation) {
    return LAYOUTS[operation];
  }

  /** Whether the body of an operation begins with a key that the decoder reads. */
  static boolean hasKey(int operation) {
    String layout = LAYOUTS[operation];
    return layout != null && layout.startsWith("k");
  }

  /** Whether an operation is one on a cache, so that the cache must exist. */
  static boolean needsCache(int operation) {
    return switch (operation) {
      case Opcodes.EXEC, Opcodes.AUTH_MECH_LIST, Opcodes.AUTH -> false;
      case Opcodes.PREPARE_TX, Opcodes.PREPARE_TX_2 -> true; // refused, but by the right reason
      default -> !isOnCounters(operation) && Arrays.binarySearch(SUPPORTED, operation) >= 0;
    };
  }

  /** Whether an operation is one on counters, whatever cache its request names. */
  static boolean isOnCounters(int operation) {
    boolean isInRange =
        operation >= Opcodes.COUNTER_CREATE && operation <= Opcodes.COUNTER_GET_NAMES;
    return isInRange || operation == Opcodes.COUNTER_GET_AND_SET;
  }

  /** The supported operations, in ascending order, in a new array. */
  static int[] supportedOperations() {
    return SUPPORTED.clone();
  }
}
