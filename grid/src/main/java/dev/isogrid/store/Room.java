package dev.isogrid.store;

/** The memory that containers share. Thread-safe. */
interface Room {
  /** Where there is always enough, as far as containers are concerned. */
  Room ENDLESS =
      new Room() {
        @Override
        public boolean isLimited() {
          return false;
        }

        @Override
        public boolean hasSpare(long bytes) {
          return true;
        }

        @Override
        public boolean isNearlyFull() {
          return false;
        }

        @Override
        public void promise(long bytes) {
          // It need not be kept for anybody.
        }
      };

  /** Whether it may come to its end. */
  boolean isLimited();

  /**
   * Whether there is more memory left than what is held back for writes that other nodes decided
   * on, and than what is promised, and for some bytes.
   */
  boolean hasSpare(long bytes);

  /**
   * Whether there is so little left that other nodes should send no more: twice of what that is.
   */
  boolean isNearlyFull();

  /** Promises some bytes more, or fewer if they are negative. */
  void promise(long bytes);
}
