package dev.isogrid.wire;

/** Single numbers and names of the Hot Rod protocol that belong to no table of their own. */
public final class HotRod {
  /** The first byte of every request. */
  public static final int REQUEST_MAGIC = 0xA0;

  /** The first byte of every response and event. */
  public static final int RESPONSE_MAGIC = 0xA1;

  /** The port that clients try unless told otherwise. */
  public static final int DEFAULT_PORT = 11222;

  /** The client does not want to know of topologies. */
  public static final int INTELLIGENCE_BASIC = 1;

  /** The client wants the list of servers. */
  public static final int INTELLIGENCE_TOPOLOGY = 2;

  /** The client wants the list of servers and the owners of every segment. */
  public static final int INTELLIGENCE_HASH = 3;

  /** The topology id of a client that holds no topology yet; JavaScript clients begin with 0. */
  public static final int TOPOLOGY_NONE = -1;

  /** The smallest topology id that no client takes for "none". */
  public static final int TOPOLOGY_FIRST = 1;

  /** In a topology: no owners follow. */
  public static final int HASH_NONE = 0;

  /** In a topology: owners by segments follow; keys are placed by {@link KeyHash}. */
  public static final int HASH_SEGMENTS = 3;

  /** Kind of media type: none, so bytes as they are. */
  public static final int MEDIA_NONE = 0;

  /** Kind of media type: a number of {@link MediaTypes} follows. */
  public static final int MEDIA_PREDEFINED = 1;

  /** Kind of media type: a name follows. */
  public static final int MEDIA_CUSTOM = 2;

  /** In a metadata block: the entry has no lifespan. */
  public static final int METADATA_NO_LIFESPAN = 1;

  /** In a metadata block: the entry has no max idle. */
  public static final int METADATA_NO_MAX_IDLE = 2;

  /** In a metadata block: times are in milliseconds; see {@link TimesExtension}. */
  public static final int METADATA_MILLIS = 4;

  /** In a metadata block: the version that stands for an entry that does not exist. */
  public static final long VERSION_NONE = -1;

  /** A part of the error message if the named cache does not exist; clients look for it. */
  public static final String CACHE_NOT_FOUND =
      "org.infinispan.server.hotrod.CacheNotFoundException";

  /**
   * A part of the message if another server may do better; clients that go by texts look for it.
   */
  public static final String SUSPECT = "SuspectException";

  /** A part of the message if a request of fewer keys may be answered. */
  public static final String ANSWER_TOO_LARGE = "answer too large";

  /** The converter that makes an iteration leave the values out. */
  public static final String EMPTY_VALUE_CONVERTER =
      "org.infinispan.server.hotrod.HotRodServer$ToEmptyBytesKeyValueFilterConverter";

  /** In the definition of a counter: it is weak, and its concurrency follows. */
  public static final int COUNTER_WEAK = 1;

  /** In the definition of a counter: it is bounded, and the bounds follow. */
  public static final int COUNTER_BOUNDED = 2;

  /** In the definition of a counter: its value outlives the servers. */
  public static final int COUNTER_PERSISTENT = 4;

  /** In a change of a transaction: the key was not read, and so no version follows. */
  public static final int CHANGE_NOT_READ = 1;

  /** In a change of a transaction: the key had no entry, and so no version follows. */
  public static final int CHANGE_OF_ABSENT = 2;

  /** In a change of a transaction: it removes the entry, and so no value follows. */
  public static final int CHANGE_REMOVES = 4;

  /** The converter that makes events carry key, value and version. */
  public static final String KEY_VALUE_VERSION_CONVERTER = "___eager-key-value-version-converter";

  /** The converter that makes events carry key, value and the value before. */
  public static final String KEY_VALUE_PREVIOUS_CONVERTER =
      "key-value-with-previous-converter-factory";

  private HotRod() {}
}
