package dev.isogrid.cluster;

import dev.isogrid.api.FatalGridException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jgroups.conf.ConfiguratorFactory;
import org.jgroups.conf.ProtocolConfiguration;
import org.jgroups.conf.ProtocolStackConfigurator;
import org.jspecify.annotations.Nullable;

/** Reads files of JGroups stacks in XML. */
public final class StackFile {
  private StackFile() {}

  /**
   * The stack of a file.
   *
   * @throws FatalGridException if it can't be read
   */
  static ProtocolStackConfigurator read(Path file) {
    if (!Files.isReadable(file)) {
      throw new FatalGridException(
          "stack of JGroups not found: file=%s; name a file that can be read".formatted(file));
    }
    try {
      return ConfiguratorFactory.getStackConfigurator(file.toFile());
    } catch (Exception failure) {
      throw new FatalGridException(
          "stack of JGroups not understood: file=%s, reason=%s; correct the XML"
              .formatted(file, failure.getMessage()),
          failure);
    }
  }

  /**
   * Returns whether only this machine reaches the transport of a stack, as far as the file says so.
   *
   * @throws FatalGridException if the file can't be read
   */
  public static boolean isOnLoopback(Path file) {
    List<ProtocolConfiguration> protocols = read(file).getProtocolStack();
    if (protocols.isEmpty()) {
      return false;
    }
    ProtocolConfiguration transport = protocols.getFirst();
    transport.substituteVariables();
    return isLoopback(transport.getProperties().get("bind_addr"));
  }

  private static boolean isLoopback(@Nullable String address) {
    if (address == null) {
      return false;
    }
    String text = address.strip().toLowerCase(Locale.ROOT);
    if (text.equals("loopback")) { // JGroups' own word
      return true;
    }
    boolean isLiteral = text.matches("[0-9.]+") || text.contains(":");
    if (!isLiteral && !text.equals("localhost")) {
      return false;
    }
    try {
      return InetAddress.getByName(text).isLoopbackAddress();
    } catch (UnknownHostException malformed) {
      return false; // the start says so
    }
  }
}
