package dev.isogrid.structure;

import dev.isogrid.store.Bytes;

/** Converts clients' values to and from the stored form. Thread-safe. */
public interface ValueForm {
  /** The form without a conversion. */
  ValueForm AS_IS =
      new ValueForm() {
        @Override
        public boolean isAsIs() {
          return true;
        }

        @Override
        public Bytes encoded(Bytes value) {
          return value;
        }

        @Override
        public Bytes decoded(Bytes stored) {
          return stored;
        }
      };

  /** Whether values are stored unchanged. */
  boolean isAsIs();

  /** The stored form of a client's value. */
  Bytes encoded(Bytes value);

  /** The client's form of a stored value. */
  Bytes decoded(Bytes stored);
}
