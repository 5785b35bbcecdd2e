package dev.isogrid.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says in words why a file can't be used. */
final class FileTrouble {
  private FileTrouble() {}

  /** The reason without the name of the file, which the message has anyway. */
  static String reason(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "this user may not";
      case CharacterCodingException _ -> "it is not UTF-8 text; save it as UTF-8";
      case FileSystemException ofFile when ofFile.getReason() != null -> ofFile.getReason();
      default -> failure.toString();
    };
  }
}
