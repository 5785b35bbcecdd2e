package dev.isogrid.cli;

import java.io.InputStream;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/** Asks the user, where there is one. */
interface Asker {
  /** Nobody is there to be asked. */
  Asker NOBODY =
      new Asker() {
        @Override
        public String password(String prompt) {
          throw new CommandFailure(
              "a password is needed, and there is no terminal to ask on; give --password-file"
                  + " FILE");
        }

        @Override
        public boolean confirms(String question) {
          return true;
        }

        @Override
        public boolean agrees(String question) {
          return false;
        }

        @Override
        public boolean sees() {
          return false;
        }
      };

  /**
   * Asks for a password without showing it.
   *
   * @throws CommandFailure if there is nobody to ask
   */
  String password(String prompt);

  /** Asks whether to go on; true where nobody can be asked, as in a script. */
  boolean confirms(String question);

  /** Asks whether to do what can't be undone; false where nobody can be asked. */
  boolean agrees(String question);

  /** Whether the user sees the error stream while a command runs. */
  boolean sees();

  /** The input of the process, for commands that read a file named {@code -}; borrowed. */
  default InputStream input() {
    return System.in;
  }

  /** The terminal of the prompt, or null if none is shown. */
  default @Nullable Terminal terminal() {
    return null;
  }
}
