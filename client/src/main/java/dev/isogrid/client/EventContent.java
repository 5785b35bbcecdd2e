package dev.isogrid.client;

/** Turns the bytes of events into objects. Stateless. */
final class EventContent {
  private static final int CONVERTED = 1;

  private EventContent() {}

  /**
   * An event as the user sees it.
   *
   * @throws MarshallingException if its bytes are no objects of the cache's formats
   */
  @SuppressWarnings("unchecked") // the user says what the cache holds
  static <K, V> EntryEvent<K, V> read(RawEvent raw, ListenerOptions options, RequestFormat format) {
    EntryEvent.Kind kind = raw.kind().asTold();
    boolean retried = raw.isRetried();
    boolean state = raw.isState();
    byte[] content = raw.content();
    if (raw.conversion() == 0) {
      K key = (K) format.keys().read(content);
      return new EntryEvent<>(kind, key, null, raw.version(), null, retried, state);
    }
    if (options.includesValues()) {
      return keyValueVersion(raw, format);
    }
    Object payload = raw.conversion() == CONVERTED ? format.values().read(content) : content;
    return new EntryEvent<>(kind, null, null, -1, payload, retried, state);
  }

  /** The content of that converter: key, and if there is an entry its value and version. */
  @SuppressWarnings("unchecked") // the user says what the cache holds
  private static <K, V> EntryEvent<K, V> keyValueVersion(RawEvent raw, RequestFormat format) {
    ResponseReader reader = new ResponseReader(raw.content());
    try {
      K key = (K) reader.object(format.keys());
      V value = null;
      long version = -1;
      if (reader.hasMore()) {
        value = (V) reader.object(format.values());
        version = reader.i64();
      }
      MarshallingException failure = reader.takeFailure();
      if (failure != null) {
        throw failure;
      }
      return new EntryEvent<>(
          raw.kind().asTold(), key, value, version, null, raw.isRetried(), raw.isState());
    } catch (IncompleteResponse incomplete) {
      throw new MarshallingException("event ends too early: size=" + raw.content().length, null);
    }
  }
}
