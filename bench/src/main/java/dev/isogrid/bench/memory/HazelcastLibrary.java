package dev.isogrid.bench.memory;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.map.IMap;

/** A map of a single Hazelcast member without discovery. */
final class HazelcastLibrary implements Library {
  private static final String MAP = "bench";

  private final IMap<String, byte[]> map;

  /** Starts the member. */
  HazelcastLibrary() {
    Config config = new Config();
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.logging.type", "none");
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getMulticastConfig().setEnabled(false);
    join.getAutoDetectionConfig().setEnabled(false);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    config.addMapConfig(
        new MapConfig(MAP).setInMemoryFormat(InMemoryFormat.BINARY).setBackupCount(0));
    this.map = Hazelcast.newHazelcastInstance(config).getMap(MAP);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    map.set(new String(key, ISO_8859_1), value);
  }

  @Override
  public long count() {
    return map.size();
  }

  @Override
  public OwnCount ownCount() {
    return OwnCount.of(map.getLocalMapStats().getOwnedEntryMemoryCost());
  }
}
