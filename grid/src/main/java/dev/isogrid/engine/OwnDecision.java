package dev.isogrid.engine;

import dev.isogrid.engine.Command.Decision;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A write that this node decides upon in a segment that it has alone. Used once. */
final class OwnDecision implements Mutation<BinaryKey, Bytes> {
  private final WriteEntry write;
  private @Nullable WriteResult result;

  OwnDecision(WriteEntry write) {
    this.write = write;
  }

  @Override
  public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
    DetachedEntry before = current.isPresent() ? DetachedEntry.of(current) : null;
    Decision decision = write.decide(before, 0, 0);
    result = (WriteResult) decision.result();
    if (decision.changes()) {
      effect.silent(write.isSilent());
      DetachedEntry after = (DetachedEntry) decision.value();
      if (after == null) {
        effect.remove();
      } else if (write.action() == WriteEntry.Action.TOUCH) {
        effect.touch(after.lifespanMillis(), after.maxIdleMillis());
      } else {
        after.toEffect(effect);
      }
    }
  }

  @Override
  public boolean isRemoval() {
    return write.action() == WriteEntry.Action.REMOVE;
  }

  /** The answer, once it was applied. */
  WriteResult result() {
    return Objects.requireNonNull(result);
  }
}
