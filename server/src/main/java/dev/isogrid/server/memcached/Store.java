package dev.isogrid.server.memcached;

import dev.isogrid.api.Expiry;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Mutation;

/**
 * Stores a value by the current key: the meaning of set, add, replace, append, prepend and cas in
 * the text and the binary protocol. For the connection's event loop, or the thread that works for
 * it meanwhile.
 */
final class Store {
  /** The result of a command. */
  enum Outcome {
    /** The entry has the value. */
    STORED("stored"),
    /** The condition of the command did not hold. */
    NOT_STORED("not_stored"),
    /** The entry has another cas unique. */
    EXISTS("exists"),
    /** There is no entry whose cas unique could be compared. */
    NOT_FOUND("not_found");

    /** The word for watchers. */
    private final String status;

    Outcome(String status) {
      this.status = status;
    }
  }

  private final Conversation conversation;
  private final Bytes value;
  private final KeyWrite<BinaryKey, Bytes> write = new KeyWrite<>();
  private final Concatenation concatenation;

  private int flags;
  private long exptime;
  private long casUnique;

  /** The cas unique of the entry after the last command that stored. */
  private long newCas;

  /**
   * Makes the commands of a connection.
   *
   * @param value the value of each command: its content when the command runs
   */
  Store(Conversation conversation, Bytes value) {
    this.conversation = conversation;
    this.value = value;
    this.concatenation = new Concatenation(value, conversation.endpoint.itemSize());
  }

  /** Sets the client flags and the time of the next entry; append and prepend ignore both. */
  Store with(int flags, long exptime) {
    this.flags = flags;
    this.exptime = exptime;
    return this;
  }

  /** Sets the cas unique that cas compares; append and prepend do so if it is not 0. */
  Store expecting(long casUnique) {
    this.casUnique = casUnique;
    return this;
  }

  /** Runs a command on the current key. */
  Outcome perform(Command command) {
    conversation.timer.writes(value.length());
    Outcome outcome =
        switch (command) {
          case APPEND -> concatenate(true);
          case PREPEND -> concatenate(false);
          case CAS -> compareAndSet();
          case ADD -> put(KeyWrite.Condition.ABSENT);
          case REPLACE -> put(KeyWrite.Condition.PRESENT);
          default -> put(KeyWrite.Condition.NONE);
        };
    if (outcome == Outcome.STORED) {
      conversation.counters.totalItems.increment();
    }
    tell(outcome.status, command);
    return outcome;
  }

  private void tell(String status, Command command) {
    if (conversation.watch.wantsStores()) {
      long lifespanMillis = Exptime.lifespanMillis(exptime, conversation.endpoint.nowMillis());
      conversation.watch.stored(status, command, lifespanMillis, value.length());
    }
  }

  /** Counts a value that is too large, and notifies watchers. */
  void refused(Command command) {
    conversation.counters.storeTooLarge.increment();
    tell("too_large", command);
  }

  /** The cas unique of the new entry, if the last command stored one. */
  long newCas() {
    return newCas;
  }

  /** Removes the entry of the current key, which must not outlive the refusal of a newer value. */
  void removeOld() {
    conversation.write(write.remove());
  }

  private void write(Mutation<BinaryKey, Bytes> mutation) {
    long version = conversation.write(mutation);
    newCas = conversation.casOf(version);
    conversation.noteUse(version, false);
  }

  private KeyWrite<BinaryKey, Bytes> newPut() {
    conversation.engine(); // finds the form
    long lifespanMillis = Exptime.lifespanMillis(exptime, conversation.endpoint.nowMillis());
    return write
        .put(conversation.form().encoded(value))
        .expiry(lifespanMillis, Expiry.UNLIMITED)
        .attributes(flags, null);
  }

  private Outcome put(KeyWrite.Condition condition) {
    write(newPut().when(condition));
    return write.outcome() == KeyWrite.Outcome.DONE ? Outcome.STORED : Outcome.NOT_STORED;
  }

  private Outcome compareAndSet() {
    write(newPut().whenVersion(conversation.versionOf(casUnique)));
    Counters counters = conversation.counters;
    return switch (write.outcome()) {
      case DONE -> {
        counters.casHits.increment();
        yield Outcome.STORED;
      }
      case KEY_ABSENT -> {
        counters.casMisses.increment();
        yield Outcome.NOT_FOUND;
      }
      case OTHER_VERSION, KEY_PRESENT -> {
        counters.casBadval.increment();
        yield Outcome.EXISTS;
      }
    };
  }

  private Outcome concatenate(boolean append) {
    conversation.engine(); // finds the form
    long nowMillis = conversation.endpoint.nowMillis();
    long version = conversation.versionOf(casUnique);
    write(concatenation.to(append, nowMillis, conversation.form(), version));
    return switch (concatenation.outcome()) {
      case DONE -> Outcome.STORED;
      case NO_ENTRY, TOO_LARGE -> Outcome.NOT_STORED;
      case OTHER_VERSION -> Outcome.EXISTS;
    };
  }
}
