package dev.isogrid.config;

import dev.isogrid.api.CacheAuthorization;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MergePolicy;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenSplit;
import dev.isogrid.base.ForeignConfiguration;
import dev.isogrid.codec.NamedMarshaller;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.config.Section.ValueType;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the element of a cache, except for its name and its template. */
final class CacheElement {
  /** Type and subtype, of the characters that HTTP allows, and parameters without braces. */
  private static final Pattern MEDIA_TYPE =
      Pattern.compile("[\\w!#$&^.+*-]+/[\\w!#$&^.+*-]+( *;[ -z|~]*)?");

  /** Names of classes, including lambdas, and names that GridConfig allows. */
  private static final Pattern MARSHALLER =
      Pattern.compile("[\\p{javaJavaIdentifierPart}./+-]{1,1000}");

  private static final int MEDIA_TYPE_LENGTH_MAX = 256;
  private static final String MEDIA_TYPE_FORM = "a type/subtype such as application/json";

  private final Section section;
  private final CacheKind kind;
  private final CacheConfig base;
  private final ReadContext context;
  private final CacheConfig.Builder builder;

  private CacheElement(Section section, CacheKind kind, CacheConfig base, ReadContext context) {
    this.section = section;
    this.kind = kind;
    this.base = base;
    this.context = context;
    this.builder = base.toBuilder();
  }

  /** The configuration of an empty element. */
  static CacheConfig defaults(CacheKind kind) {
    return CacheConfig.builder().mode(kind.sync()).storage(StorageType.OFF_HEAP).build();
  }

  /** Whether a text can be the media type of keys or values. */
  static boolean isMediaType(String text) {
    return text.length() <= MEDIA_TYPE_LENGTH_MAX && MEDIA_TYPE.matcher(text).matches();
  }

  /**
   * Reads an element to its end.
   *
   * @param section of which the name and the template have been read
   * @param base the inherited configuration
   * @param context the permitted references
   */
  static CacheConfig read(Section section, CacheKind kind, CacheConfig base, ReadContext context) {
    return ForeignConfiguration.of(new CacheElement(section, kind, base, context)::read);
  }

  private CacheConfig read() {
    readAttributes();
    readEncoding();
    if (context.allowsObjects() && isOfObjects(builder.build())) {
      builder.storage(StorageType.HEAP_OBJECT); // unless the memory says otherwise
    }
    readExpiration();
    readMemory();
    readPartitionHandling();
    readHarmlessElements();
    readSecurity();
    PersistenceElement.read(section, base, context.allowsFolders(), builder);
    refuseElements();
    section.finish();
    return builder.build();
  }

  private void readAttributes() {
    builder.statistics(section.flag("statistics", base.statistics()));
    builder.segments(section.number("segments", 1, CacheConfig.SEGMENTS_MAX, base.segments()));
    int owners = section.number("owners", 1, CacheConfig.OWNERS_MAX, base.owners());
    builder.owners(owners);
    if (kind != CacheKind.DISTRIBUTED && section.has("owners")) {
      section.notes().ignored(section.path() + "@owners");
    }
    int minInSyncMax = kind == CacheKind.DISTRIBUTED ? owners : CacheConfig.OWNERS_MAX;
    builder.minInSync(section.number("min-in-sync", 1, minInSyncMax, base.minInSync()));
    if (!hasCopies(kind) && section.has("min-in-sync")) {
      section.notes().ignored(section.path() + "@min-in-sync");
    }
    section.ignore(ValueType.BOOLEAN, "unreliable-return-values");
    if (kind.isClustered()) {
      builder.mode(mode());
      section.ignore(ValueType.TIME, "remote-timeout");
      section.refuse("key-partitioner");
    } else {
      section.ignore(ValueType.BOOLEAN, "simple-cache");
    }
    if (kind == CacheKind.DISTRIBUTED) {
      readDistributionAttributes();
    }
  }

  private static boolean hasCopies(CacheKind kind) {
    return kind == CacheKind.DISTRIBUTED || kind == CacheKind.REPLICATED;
  }

  private CacheMode mode() {
    String inherited = base.mode() == kind.async() ? "ASYNC" : "SYNC";
    String mode = section.choice("mode", inherited, "SYNC", "ASYNC");
    return mode.equals("ASYNC") ? kind.async() : kind.sync();
  }

  private void readDistributionAttributes() {
    section.refuse("consistent-hash-factory");
    section.ignore(ValueType.TIME, "l1-cleanup-interval");
    if (section.timeMillis("l1-lifespan", Long.MIN_VALUE, 0) > 0) {
      section.refuse("l1-lifespan");
    }
    String capacity = section.text("capacity-factor");
    if (capacity != null && !capacity.matches("1(\\.0{1,9})?")) {
      if (!capacity.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
        throw section.invalid("capacity-factor", "a number from 0 up");
      }
      section.refuse("capacity-factor");
    }
  }

  private void readEncoding() {
    Section encoding = section.child("encoding");
    if (encoding == null) {
      return;
    }
    String both = mediaType(encoding);
    String key = mediaTypeOfChild(encoding, "key");
    String value = mediaTypeOfChild(encoding, "value");
    String keyMarshaller = marshaller(encoding, "key-marshaller");
    String valueMarshaller = marshaller(encoding, "value-marshaller");
    encoding.finish();
    if (keyMarshaller != null) {
      builder.keyMarshaller(new NamedMarshaller(keyMarshaller));
    }
    if (valueMarshaller != null) {
      builder.valueMarshaller(new NamedMarshaller(valueMarshaller));
    }
    if (both != null && (key != null || value != null)) {
      throw encoding.invalid("media-type", "one for both, or one each for key and value");
    }
    String inheritedKey = both == null ? base.keyMediaType() : both;
    String inheritedValue = both == null ? base.valueMediaType() : both;
    builder.encoding(key == null ? inheritedKey : key, value == null ? inheritedValue : value);
  }

  private static @Nullable String mediaTypeOfChild(Section encoding, String name) {
    Section child = encoding.child(name);
    if (child == null) {
      return null;
    }
    String mediaType = mediaType(child);
    child.finish();
    return mediaType;
  }

  private static @Nullable String marshaller(Section encoding, String attribute) {
    String name = encoding.text(attribute);
    if (name != null && !MARSHALLER.matcher(name).matches()) {
      throw encoding.invalid(attribute, "the full name of a class, or a name that nodes know");
    }
    return name;
  }

  private static @Nullable String mediaType(Section section) {
    String mediaType = section.text("media-type");
    if (mediaType != null && !isMediaType(mediaType)) {
      throw section.invalid("media-type", MEDIA_TYPE_FORM);
    }
    return mediaType;
  }

  /** Whether a configuration declares keys and values as objects. */
  private static boolean isOfObjects(CacheConfig config) {
    return Transcoder.JAVA_OBJECT.equals(config.keyMediaType())
        && Transcoder.JAVA_OBJECT.equals(config.valueMediaType());
  }

  private void readExpiration() {
    Section expiration = section.child("expiration");
    if (expiration == null) {
      return;
    }
    long unlimited = Expiry.UNLIMITED;
    long lifespan = expiration.timeMillis("lifespan", unlimited, base.lifespanMillis());
    long maxIdle = expiration.timeMillis("max-idle", unlimited, base.maxIdleMillis());
    long interval = expiration.timeMillis("interval", Long.MIN_VALUE, base.reaperIntervalMillis());
    expiration.choice("touch", "SYNC", "SYNC", "ASYNC");
    expiration.ignore(ValueType.TEXT, "touch");
    expiration.finish();
    requireTime(expiration, "lifespan", lifespan);
    requireTime(expiration, "max-idle", maxIdle);
    if (lifespan >= 0 && maxIdle >= lifespan) {
      String attribute = expiration.has("max-idle") ? "max-idle" : "lifespan";
      throw expiration.invalid(
          attribute,
          "max-idle=%d ms below lifespan=%d ms, or -1 for no limit".formatted(maxIdle, lifespan));
    }
    builder
        .lifespan(lifespan, TimeUnit.MILLISECONDS)
        .maxIdle(maxIdle, TimeUnit.MILLISECONDS)
        .reaperInterval(interval, TimeUnit.MILLISECONDS);
  }

  /** A limit of 0 would end each entry at once. */
  private static void requireTime(Section expiration, String attribute, long millis) {
    if (millis == 0) {
      throw expiration.invalid(attribute, "1 ms or more, or -1 for no limit");
    }
  }

  private void readMemory() {
    Section memory = section.child(MemoryElement.NAME);
    if (memory != null) {
      MemoryElement.read(memory, builder.build(), context.allowsObjects(), builder);
    }
  }

  private void readPartitionHandling() {
    Section partition = kind.isClustered() ? section.child("partition-handling") : null;
    if (partition == null) {
      return;
    }
    String inherited = base.whenSplit().name();
    String whenSplit =
        partition.choice(
            "when-split", inherited, "DENY_READ_WRITES", "ALLOW_READS", "ALLOW_READ_WRITES");
    builder.whenSplit(WhenSplit.valueOf(whenSplit));
    readMergePolicy(partition);
    partition.finish();
  }

  private void readMergePolicy(Section partition) {
    String policy = partition.text("merge-policy");
    if (policy == null) {
      return;
    }
    try {
      builder.mergePolicy(MergePolicy.of(policy.strip()));
    } catch (InvalidConfigurationException e) {
      InvalidRequestException placed =
          partition.invalid(
              "merge-policy",
              "NONE, PREFERRED_ALWAYS, PREFERRED_NON_NULL, REMOVE_ALL or a full name of a class");
      placed.addSuppressed(e);
      throw placed;
    }
  }

  private void readHarmlessElements() {
    Section locking = section.child("locking");
    if (locking != null) {
      locking.ignore(ValueType.TEXT, "isolation");
      locking.ignore(ValueType.TIME, "acquire-timeout");
      locking.ignore(ValueType.NUMBER, "concurrency-level");
      locking.ignore(ValueType.BOOLEAN, "striping");
      locking.finish();
    }
    Section query = section.child("query");
    if (query != null) {
      query.ignore(ValueType.NUMBER, "default-max-results", "hit-count-accuracy");
      query.finish();
    }
    boolean copiesState = kind == CacheKind.REPLICATED || kind == CacheKind.DISTRIBUTED;
    Section transfer = copiesState ? section.child("state-transfer") : null;
    if (transfer != null) {
      transfer.only("enabled", true);
      transfer.ignore(ValueType.TIME, "timeout");
      transfer.ignore(ValueType.NUMBER, "chunk-size");
      transfer.ignore(ValueType.BOOLEAN, "await-initial-transfer", "await-leave-transfer");
      transfer.finish();
    }
    section.ignoreElement("tracing");
  }

  private void readSecurity() {
    Section security = section.child("security");
    if (security == null) {
      return;
    }
    Section authorization = security.child("authorization");
    security.finish();
    if (authorization == null) {
      return;
    }
    boolean enabled = authorization.flag("enabled", true);
    String roles = authorization.text("roles");
    authorization.finish();
    builder.authorization(
        roles == null
            ? new CacheAuthorization(enabled, base.authorization().roles())
            : new CacheAuthorization(enabled, words(roles)));
  }

  /** The words of a text, separated by blanks or commas. */
  static List<String> words(String text) {
    return Arrays.stream(text.strip().split("[\\s,]+")).filter(word -> !word.isEmpty()).toList();
  }

  private void refuseElements() {
    Section transaction = section.child("transaction");
    if (transaction != null) {
      transaction.only("mode", "NONE", "BATCH", "NON_XA", "NON_DURABLE_XA", "FULL_XA");
      transaction.ignoreRest();
    }
    section.onlyDisabled("indexing");
    if (kind == CacheKind.DISTRIBUTED) {
      section.onlyDisabled("groups");
    }
    section.refuse("backups", "backup-for");
  }
}
