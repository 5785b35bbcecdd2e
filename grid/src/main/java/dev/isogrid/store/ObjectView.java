package dev.isogrid.store;

import dev.isogrid.api.Expiry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A window on an entry that is two references. */
final class ObjectView extends EntryView<Object, Object> {
  private @Nullable Object key;
  private @Nullable Object value;
  private @Nullable Attributed attributed;
  private long version;

  /** Moves the window to an entry, or to an absence if a reference is null. */
  void point(@Nullable Object key, @Nullable Object stored, long version) {
    this.key = stored == null ? null : key;
    this.version = version;
    if (stored instanceof Attributed found) {
      attributed = found;
      value = found.value;
    } else {
      attributed = null;
      value = stored;
    }
  }

  @Override
  public void show(Object shownKey, Effect<Object> effect, long shownVersion) {
    boolean isPlain = !effect.isMortal() && effect.clientFlags() == 0 && effect.mediaType() == null;
    Object stored = isPlain ? effect.value() : new Attributed(effect.value(), effect, this, 0);
    point(shownKey, stored, shownVersion);
  }

  @Override
  void clear() {
    point(null, null, 0);
  }

  /** What the value is wrapped in, or null. */
  @Nullable Attributed attributed() {
    return attributed;
  }

  @Override
  public boolean isPresent() {
    return key != null;
  }

  @Override
  public Object key() {
    return Objects.requireNonNull(key);
  }

  @Override
  public Object value() {
    return Objects.requireNonNull(value);
  }

  @Override
  public long version() {
    return version;
  }

  @Override
  public boolean isMortal() {
    return attributed != null && attributed.isMortal();
  }

  @Override
  public long createdMillis() {
    return attributed != null && attributed.isMortal() ? attributed.createdMillis : -1;
  }

  @Override
  public long lifespanMillis() {
    return attributed == null ? Expiry.UNLIMITED : attributed.lifespanMillis;
  }

  @Override
  public long lastUsedMillis() {
    return attributed != null && attributed.maxIdleMillis >= 0 ? attributed.lastUsedMillis() : -1;
  }

  @Override
  public long maxIdleMillis() {
    return attributed == null ? Expiry.UNLIMITED : attributed.maxIdleMillis;
  }

  @Override
  public int clientFlags() {
    return attributed == null ? 0 : attributed.clientFlags;
  }

  @Override
  public @Nullable String mediaType() {
    return attributed == null ? null : attributed.mediaType;
  }

  @Override
  void touch(long nowMillis) {
    if (attributed != null) {
      attributed.touch(nowMillis);
    }
  }
}
