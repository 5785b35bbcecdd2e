package dev.isogrid.wire;

import java.util.Locale;

/**
 * The operations, one byte each. A request's number gives the response's by {@link #responseTo}.
 */
public final class Opcodes {
  /** Stores an entry. */
  public static final int PUT = 0x01;

  /** Reads a value. */
  public static final int GET = 0x03;

  /** Stores an entry if there is none. */
  public static final int PUT_IF_ABSENT = 0x05;

  /** Stores an entry if there is one. */
  public static final int REPLACE = 0x07;

  /** Stores an entry if there is one of a version. */
  public static final int REPLACE_IF_UNMODIFIED = 0x09;

  /** Removes an entry. */
  public static final int REMOVE = 0x0B;

  /** Removes an entry of a version. */
  public static final int REMOVE_IF_UNMODIFIED = 0x0D;

  /** Asks whether there is an entry. */
  public static final int CONTAINS_KEY = 0x0F;

  /** Reads a value and its version. */
  public static final int GET_WITH_VERSION = 0x11;

  /** Removes all entries. */
  public static final int CLEAR = 0x13;

  /** Reads statistics. */
  public static final int STATS = 0x15;

  /** Asks whether the server, and a cache, is there. */
  public static final int PING = 0x17;

  /** Reads many entries at once. */
  public static final int BULK_GET = 0x19;

  /** Reads a value, its version and its times. */
  public static final int GET_WITH_METADATA = 0x1B;

  /** Reads all keys at once. */
  public static final int BULK_GET_KEYS = 0x1D;

  /** Runs a query. */
  public static final int QUERY = 0x1F;

  /** Asks for the mechanisms of authentication. */
  public static final int AUTH_MECH_LIST = 0x21;

  /** A step of authentication. */
  public static final int AUTH = 0x23;

  /** Asks for events. */
  public static final int ADD_CLIENT_LISTENER = 0x25;

  /** Ends events. */
  public static final int REMOVE_CLIENT_LISTENER = 0x27;

  /** Counts the entries. */
  public static final int SIZE = 0x29;

  /** Runs a task by its name. */
  public static final int EXEC = 0x2B;

  /** Stores many entries. */
  public static final int PUT_ALL = 0x2D;

  /** Reads the values of many keys. */
  public static final int GET_ALL = 0x2F;

  /** Begins an iteration. */
  public static final int ITERATION_START = 0x31;

  /** Reads the next entries of an iteration. */
  public static final int ITERATION_NEXT = 0x33;

  /** Ends an iteration. */
  public static final int ITERATION_END = 0x35;

  /** Reads a value from an offset on. */
  public static final int GET_STREAM = 0x37;

  /** Stores a value that comes in chunks. */
  public static final int PUT_STREAM = 0x39;

  /** Prepares a transaction, as in 2.7. */
  public static final int PREPARE_TX = 0x3B;

  /** Commits a transaction. */
  public static final int COMMIT_TX = 0x3D;

  /** Rolls a transaction back. */
  public static final int ROLLBACK_TX = 0x3F;

  /** Asks for the events of a near cache, chosen by a bloom filter. */
  public static final int ADD_BLOOM_LISTENER = 0x41;

  /** Replaces the bloom filter. */
  public static final int UPDATE_BLOOM_FILTER = 0x43;

  /** Defines a counter. */
  public static final int COUNTER_CREATE = 0x4B;

  /** Reads the definition of a counter. */
  public static final int COUNTER_GET_CONFIGURATION = 0x4D;

  /** Asks whether there is a counter. */
  public static final int COUNTER_IS_DEFINED = 0x4F;

  /** Adds to a counter. */
  public static final int COUNTER_ADD_AND_GET = 0x52;

  /** Sets a counter to its first value. */
  public static final int COUNTER_RESET = 0x54;

  /** Reads a counter. */
  public static final int COUNTER_GET = 0x56;

  /** Sets a counter if it has a value. */
  public static final int COUNTER_COMPARE_AND_SWAP = 0x58;

  /** Asks for the events of a counter. */
  public static final int COUNTER_ADD_LISTENER = 0x5A;

  /** Ends the events of a counter. */
  public static final int COUNTER_REMOVE_LISTENER = 0x5C;

  /** Removes the value of a counter. */
  public static final int COUNTER_REMOVE = 0x5E;

  /** Reads the names of all counters. */
  public static final int COUNTER_GET_NAMES = 0x64;

  /** Reads the values of a key. */
  public static final int GET_MULTIMAP = 0x67;

  /** Reads the values of a key with metadata. */
  public static final int GET_MULTIMAP_WITH_METADATA = 0x69;

  /** Adds a value to a key. */
  public static final int PUT_MULTIMAP = 0x6B;

  /** Removes all values of a key. */
  public static final int REMOVE_KEY_MULTIMAP = 0x6D;

  /** Removes a value of a key. */
  public static final int REMOVE_ENTRY_MULTIMAP = 0x6F;

  /** Counts all values. */
  public static final int SIZE_MULTIMAP = 0x71;

  /** Asks whether a key has a value. */
  public static final int CONTAINS_ENTRY_MULTIMAP = 0x73;

  /** Asks whether a key has any value. */
  public static final int CONTAINS_KEY_MULTIMAP = 0x75;

  /** Asks whether any key has a value. */
  public static final int CONTAINS_VALUE_MULTIMAP = 0x77;

  /** Forgets a transaction. */
  public static final int FORGET_TX = 0x79;

  /** Reads the transactions that are in doubt. */
  public static final int FETCH_IN_DOUBT_TX = 0x7B;

  /** Prepares a transaction. */
  public static final int PREPARE_TX_2 = 0x7D;

  /** Sets a counter. */
  public static final int COUNTER_GET_AND_SET = 0x7F;

  /** Ends a read in chunks. */
  public static final int END_GET_STREAM = 0xE5;

  /** Reads the next chunk. */
  public static final int NEXT_GET_STREAM = 0xE7;

  /** Begins a read in chunks. */
  public static final int START_GET_STREAM = 0xE9;

  /** Gives a write in chunks up. */
  public static final int END_PUT_STREAM = 0xEB;

  /** Writes the next chunk. */
  public static final int NEXT_PUT_STREAM = 0xED;

  /** Begins a write in chunks. */
  public static final int START_PUT_STREAM = 0xEF;

  /** Only in responses: the request failed; the body is a message. */
  public static final int ERROR = 0x50;

  /** Only from servers: an entry was created. */
  public static final int EVENT_CREATED = 0x60;

  /** Only from servers: an entry was modified. */
  public static final int EVENT_MODIFIED = 0x61;

  /** Only from servers: an entry was removed. */
  public static final int EVENT_REMOVED = 0x62;

  /** Only from servers: an entry expired. */
  public static final int EVENT_EXPIRED = 0x63;

  /** Only from servers: a counter changed. */
  public static final int EVENT_COUNTER = 0x66;

  /** From here on the response's number is that of the request minus 1. */
  private static final int FIRST_CHUNKED = 0xE4;

  private Opcodes() {}

  /** The operation of the response to a request that did not fail. */
  public static int responseTo(int request) {
    if (request >= FIRST_CHUNKED) {
      return request - 1;
    }
    return request == COUNTER_IS_DEFINED ? request + 2 : request + 1;
  }

  /** The name of an operation of requests, or its number if it has none. */
  public static String name(int request) {
    String name = nameOf(request);
    return name.isEmpty() ? String.format(Locale.ROOT, "0x%02X", request) : name;
  }

  /** An operation of requests as text for people: its number, and its name if it has one. */
  public static String describe(int request) {
    String name = nameOf(request);
    String hex = String.format(Locale.ROOT, "0x%02X", request);
    return name.isEmpty() ? hex : hex + " (" + name + ")";
  }

  private static String nameOf(int request) {
    return request < ADD_BLOOM_LISTENER ? nameOfFirst(request) : nameOfOther(request);
  }

  private static String nameOfFirst(int request) {
    return switch (request) {
      case PUT -> "put";
      case GET -> "get";
      case PUT_IF_ABSENT -> "putIfAbsent";
      case REPLACE -> "replace";
      case REPLACE_IF_UNMODIFIED -> "replaceIfUnmodified";
      case REMOVE -> "remove";
      case REMOVE_IF_UNMODIFIED -> "removeIfUnmodified";
      case CONTAINS_KEY -> "containsKey";
      case GET_WITH_VERSION -> "getWithVersion";
      case CLEAR -> "clear";
      case STATS -> "stats";
      case PING -> "ping";
      case BULK_GET -> "bulkGet";
      case GET_WITH_METADATA -> "getWithMetadata";
      case BULK_GET_KEYS -> "bulkGetKeys";
      case QUERY -> "query";
      case AUTH_MECH_LIST -> "authMechList";
      case AUTH -> "auth";
      case ADD_CLIENT_LISTENER -> "addClientListener";
      case REMOVE_CLIENT_LISTENER -> "removeClientListener";
      case SIZE -> "size";
      case EXEC -> "exec";
      case PUT_ALL -> "putAll";
      case GET_ALL -> "getAll";
      case ITERATION_START -> "iterationStart";
      case ITERATION_NEXT -> "iterationNext";
      case ITERATION_END -> "iterationEnd";
      case GET_STREAM -> "getStream";
      case PUT_STREAM -> "putStream";
      case PREPARE_TX -> "prepareTx";
      case COMMIT_TX -> "commitTx";
      case ROLLBACK_TX -> "rollbackTx";
      default -> "";
    };
  }

  private static String nameOfOther(int request) {
    return switch (request) {
      case ADD_BLOOM_LISTENER -> "addBloomListener";
      case UPDATE_BLOOM_FILTER -> "updateBloomFilter";
      case COUNTER_CREATE -> "counterCreate";
      case COUNTER_GET_CONFIGURATION -> "counterGetConfiguration";
      case COUNTER_IS_DEFINED -> "counterIsDefined";
      case COUNTER_ADD_AND_GET -> "counterAddAndGet";
      case COUNTER_RESET -> "counterReset";
      case COUNTER_GET -> "counterGet";
      case COUNTER_COMPARE_AND_SWAP -> "counterCompareAndSwap";
      case COUNTER_ADD_LISTENER -> "counterAddListener";
      case COUNTER_REMOVE_LISTENER -> "counterRemoveListener";
      case COUNTER_REMOVE -> "counterRemove";
      case COUNTER_GET_NAMES -> "counterGetNames";
      case GET_MULTIMAP -> "getMultimap";
      case GET_MULTIMAP_WITH_METADATA -> "getMultimapWithMetadata";
      case PUT_MULTIMAP -> "putMultimap";
      case REMOVE_KEY_MULTIMAP -> "removeKeyMultimap";
      case REMOVE_ENTRY_MULTIMAP -> "removeEntryMultimap";
      case SIZE_MULTIMAP -> "sizeMultimap";
      case CONTAINS_ENTRY_MULTIMAP -> "containsEntryMultimap";
      case CONTAINS_KEY_MULTIMAP -> "containsKeyMultimap";
      case CONTAINS_VALUE_MULTIMAP -> "containsValueMultimap";
      case FORGET_TX -> "forgetTx";
      case FETCH_IN_DOUBT_TX -> "fetchInDoubtTx";
      case PREPARE_TX_2 -> "prepareTx2";
      case COUNTER_GET_AND_SET -> "counterGetAndSet";
      case END_GET_STREAM -> "endGetStream";
      case NEXT_GET_STREAM -> "nextGetStream";
      case START_GET_STREAM -> "startGetStream";
      case END_PUT_STREAM -> "endPutStream";
      case NEXT_PUT_STREAM -> "nextPutStream";
      case START_PUT_STREAM -> "startPutStream";
      default -> "";
    };
  }
}
