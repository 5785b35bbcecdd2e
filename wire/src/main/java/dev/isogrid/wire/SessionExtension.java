package dev.isogrid.wire;

/**
 * The numbers of Isogrid's own extension of Hot Rod, by which a client says which of its requests
 * are repetitions. Official clients and servers know nothing of it.
 *
 * <p>A client asks for it by {@link #PING_FLAG} in the flags of a ping, of any version. A server
 * that has it appends {@link #ANNOUNCEMENT} to the operations in its answer (from 3.0 on), and to
 * that of no other ping. From 4.0 on the client may then give a request of one write the header
 * parameter {@link #PARAMETER}:
 *
 * <pre>
 * u8 kind | if ID: 16 bytes session | vLong number | vLong number - doneUpTo | if REPEATED: vLong
 * age in milliseconds
 * </pre>
 *
 * The first such request of a connection has the session. {@code number} is 1 or more, another one
 * for each operation, and the same for all its attempts. The client repeats no operation whose
 * number is {@code doneUpTo} or less. The age counts from when the client began the operation.
 */
public final class SessionExtension {
  /** In the flags of a ping: the client wants to know whether the server has the extension. */
  public static final int PING_FLAG = 1 << 24;

  /** In the operations that an answer to such a ping lists: the server has it. */
  public static final int ANNOUNCEMENT = 0x4947;

  /** The name of the header's parameter, as two bytes of ASCII: "ig". */
  public static final int PARAMETER = 0x6967;

  /** The bytes of the parameter's name. */
  public static final int PARAMETER_SIZE = 2;

  /** A bit of the kind: the session follows. */
  public static final int ID = 0x01;

  /** A bit of the kind: it is a repetition, whose age follows. */
  public static final int REPEATED = 0x02;

  /** The bytes of a session. */
  public static final int ID_SIZE = 16;

  private SessionExtension() {}
}
