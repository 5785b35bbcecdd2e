package dev.isogrid.server;

import dev.isogrid.api.Cache;
import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Puts texts into a cache, cut into values between words. Bytes other than UTF-8 become replacement
 * characters. For one thread.
 */
final class TextLoader {
  /** The most characters of a value. */
  private static final int VALUE_CHARACTERS = 8 << 10;

  /** Puts in flight. */
  private static final int PUTS_MAX = 64;

  private final Cache<String, String> cache;
  private final ArrayDeque<CompletableFuture<?>> puts = new ArrayDeque<>();

  TextLoader(Cache<String, String> cache) {
    this.cache = cache;
  }

  /**
   * Puts a file; on return, all its values have been put.
   *
   * @throws InvalidRequestException if it can't be read
   * @throws ExecutionException if a value can't be put
   */
  void load(Path file) throws IOException, ExecutionException, InterruptedException {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new InvalidRequestException(
          "file can't be read: %s; name a file of text".formatted(file));
    }
    try (Reader text = new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8)) {
      load(file.toString(), text);
    }
    while (!puts.isEmpty()) {
      puts.remove().get();
    }
  }

  private void load(String name, Reader text)
      throws IOException, ExecutionException, InterruptedException {
    char[] block = new char[VALUE_CHARACTERS];
    int length = 0;
    int number = 0;
    for (int read = text.read(block); read >= 0; read = text.read(block, length, rest(length))) {
      length += read;
      if (length == block.length) {
        int cut = cut(block);
        put(name + "#" + number++, new String(block, 0, cut));
        length -= cut;
        System.arraycopy(block, cut, block, 0, length);
      }
    }
    if (length > 0) {
      put(name + "#" + number, new String(block, 0, length));
    }
  }

  private static int rest(int length) {
    return VALUE_CHARACTERS - length;
  }

  /**
   * The position where a full block may be cut: after its last complete word; at its end if it is
   * one word.
   */
  private static int cut(char[] block) {
    for (int at = block.length; at > 0; at--) {
      if (Character.isWhitespace(block[at - 1])) {
        return at;
      }
    }
    return Character.isHighSurrogate(block[block.length - 1]) ? block.length - 1 : block.length;
  }

  private void put(String key, String value) throws ExecutionException, InterruptedException {
    if (puts.size() == PUTS_MAX) {
      puts.remove().get();
    }
    puts.add(cache.putAsync(key, value));
  }
}
