package dev.isogrid.server.memcached;

import dev.isogrid.api.Expiry;
import dev.isogrid.codec.Decimal;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.server.net.CacheLatencies.Kind;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.structure.Arithmetic;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * The meta commands of one line that change or inspect an entry: {@code md}, {@code ma} and {@code
 * me}. For the connection's event loop, or the thread that works for it meanwhile.
 */
final class MetaCommands {
  private static final byte[] END = Reply.line("EN");
  private static final byte[] BAD_FLAGS = Reply.line("CLIENT_ERROR invalid or duplicate flag");
  private static final byte[] BAD_MODE = Reply.line("CLIENT_ERROR invalid mode for ma M token");

  private final MetaLine meta;
  private final Conversation conversation;
  private final MetaFlags flags;
  private final Deletion removal;
  private final Invalidation invalidation = new Invalidation();
  private final Calculation arithmetic;
  private final Digits digits = new Digits();
  private final Description description = new Description();
  private final Runnable deletion = this::doDelete;
  private final Runnable calculation = this::calculate;
  private final Runnable look = this::look;
  private boolean isIncrement;

  MetaCommands(MetaLine meta) {
    this.meta = meta;
    this.conversation = meta.conversation;
    this.flags = meta.flags;
    this.removal = new Deletion(conversation);
    this.arithmetic = new Calculation(conversation);
  }

  /** Takes the line; returns false if it was refused. */
  private boolean take() {
    byte[] error = meta.takeKey();
    if (error == null && meta.takeFlags() != null) {
      error = BAD_FLAGS;
    }
    if (error != null) {
      conversation.reply(error);
    }
    return error == null;
  }

  private boolean isOpaqueRight() {
    byte[] error = flags.opaqueError();
    if (error != null) {
      conversation.reply(error);
    }
    return error == null;
  }

  /** {@code md key flags}. */
  void delete() {
    if (take() && isOpaqueRight()) {
      conversation.onKey(Kind.REMOVE, deletion);
    }
  }

  private void doDelete() {
    boolean isKept = flags.has('I');
    switch (isKept ? removal.counted(invalidate()) : removal.perform(flags.cas())) {
      case DONE, KEY_PRESENT -> {
        if (!flags.has('q')) {
          meta.send(MetaReply.HD);
        }
      }
      case KEY_ABSENT -> meta.send(MetaReply.NF);
      case OTHER_VERSION -> meta.send(MetaReply.EX);
    }
  }

  private KeyWrite.Outcome invalidate() {
    conversation.write(invalidation);
    return invalidation.outcome;
  }

  /** Makes an entry stale, and optionally gives it another lifespan. */
  private final class Invalidation implements Mutation<BinaryKey, Bytes> {
    private KeyWrite.Outcome outcome = KeyWrite.Outcome.DONE;

    @Override
    public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
      if (!current.isPresent()) {
        outcome = KeyWrite.Outcome.KEY_ABSENT;
      } else if (flags.cas() != 0 && conversation.versionOf(flags.cas()) != current.version()) {
        outcome = KeyWrite.Outcome.OTHER_VERSION;
      } else {
        outcome = KeyWrite.Outcome.DONE;
        long nowMillis = conversation.endpoint.nowMillis();
        String usual = conversation.form().valueMediaType();
        effect.store(
            Bytes.of(current.value().toByteArray()), // it is to be written to where it is
            flags.has('T')
                ? flags.lifespanMillis(nowMillis)
                : current.remainingLifespanMillis(nowMillis),
            current.maxIdleMillis(),
            current.clientFlags(),
            RecacheMark.with(RecacheMark.STALE, current.mediaType(), usual));
      }
    }
  }

  /** {@code ma key flags}. */
  void arithmetic() {
    if (!take()) {
      return;
    }
    switch (flags.mode('I')) {
      case 'I', '+' -> isIncrement = true;
      case 'D', '-' -> isIncrement = false;
      default -> {
        conversation.reply(BAD_MODE);
        return;
      }
    }
    if (isOpaqueRight()) {
      conversation.onKey(Kind.OTHER, calculation);
    }
  }

  private void calculate() {
    long nowMillis = conversation.endpoint.nowMillis();
    Arithmetic wanted = arithmetic.arithmetic().to(isIncrement, flags.delta(), nowMillis);
    if (flags.has('N')) {
      flags.applyTimes(Expiry.UNLIMITED, true, nowMillis);
      wanted.making(flags.initial(), flags.leftMillis());
    }
    if (flags.has('T')) {
      wanted.touching(flags.lifespanMillis(nowMillis));
    }
    switch (arithmetic.perform(flags.cas())) {
      case DONE -> {
        if (!flags.has('q')) {
          sendNumber(wanted, wanted.leftMillis());
        }
      }
      case MADE -> sendNumber(wanted, flags.leftShownMillis());
      case NO_ENTRY -> meta.send(MetaReply.NF);
      case OTHER_VERSION -> meta.send(MetaReply.EX);
      case NO_NUMBER -> conversation.reply(Reply.NON_NUMERIC);
    }
  }

  private void sendNumber(Arithmetic done, long leftMillis) {
    Bytes number = digits.of(done.result());
    boolean withValue = flags.has('v');
    MetaReply reply =
        meta.reply.cas(arithmetic.newCas()).entry(number.length(), done.clientFlags(), leftMillis);
    (withValue ? reply.beginValue(number.length()) : reply.begin(MetaReply.HD)).flags("ct");
    if (withValue) {
      reply.write(number);
      conversation.output.commit();
    } else {
      reply.send();
    }
  }

  /** A number in decimal. */
  private static final class Digits implements Bytes {
    private final byte[] digits = new byte[Decimal.LENGTH_MAX];
    private int from;

    Digits of(long number) {
      from = Decimal.format(number, digits);
      return this;
    }

    @Override
    public int length() {
      return digits.length - from;
    }

    @Override
    public void copyTo(byte[] target, int offset) {
      System.arraycopy(digits, from, target, offset, length());
    }
  }

  /** {@code me key [b]}: describes an entry. Its class of slabs is always the first. */
  void debug() {
    if (meta.takeKey() == null && meta.takeMark()) {
      conversation.endpoint.recency().begin(conversation.endpoint.nowMillis());
      conversation.onKey(Kind.GET, look);
    } else {
      conversation.reply(Reply.BAD_FORMAT);
    }
  }

  private void look() {
    boolean found = conversation.read(description);
    conversation.reply(found ? description.text.getBytes(StandardCharsets.ISO_8859_1) : END);
  }

  /** The fields of an entry that {@code me} shows. */
  private final class Description implements EntryReader<BinaryKey, Bytes> {
    private String text = "";

    @Override
    public void read(EntryView<BinaryKey, Bytes> entry) {
      long nowMillis = conversation.endpoint.nowMillis();
      long leftMillis = entry.remainingLifespanMillis(nowMillis);
      Recency recency = conversation.endpoint.recency();
      int hash = conversation.key.hash();
      long createdMillis = entry.isMortal() ? entry.createdMillis() : -1;
      int valueLength = conversation.form().decoded(entry.value()).length();
      text =
          "ME %s exp=%d la=%d cas=%s fetch=%s cls=1 size=%d\r\n"
              .formatted(
                  meta.keyText(),
                  leftMillis < 0 ? -1 : -TimeUnit.MILLISECONDS.toSeconds(leftMillis),
                  recency.idleSeconds(hash, entry.version(), createdMillis, nowMillis),
                  Long.toUnsignedString(conversation.casOf(entry.version())),
                  recency.wasRead(hash, entry.version()) ? "yes" : "no",
                  ItemSize.of(valueLength, meta.ownKeyLength(), entry.clientFlags()));
    }
  }
}
