package dev.isogrid.cluster;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.base.Env;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.PhysicalAddress;
import org.jgroups.Version;
import org.jgroups.conf.ProtocolStackConfigurator;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.protocols.FD_SOCK;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.PingData;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TP;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.util.Responses;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Messages between nodes by JGroups. A node is named by the 128 bits of its JGroups address, which
 * are new for each life. Views are handed on as hints and nothing more. Thread-safe.
 */
public final class JGroupsTransport implements Transport {
  /*
   * Messages go by connections of our own (Links) if the stack is the usual one. Neither JGroups
   * nor the lanes and budgets here see them then. They are encoded by the event loop. With a stack
   * from a file, and among nodes of one process, JGroups carries them:
   *
   * Sending never blocks the sender. Messages of streams go through a lane of their own for each
   * receiver, where whoever flushes, or a task, may wait for the receiver's credits; the others are
   * sent at once, out of band and without flow control. To a receiver that confirms nothing no more
   * is sent after some time. What finds no room is dropped: whoever needs an answer sends again.
   * Heartbeats and grants, which are most of what idle nodes send, go past UNICAST3, whose
   * confirmations would double them.
   *
   * Receiving is the same either way. A thread of JGroups, or the event loop of the connections,
   * never waits: it puts the bytes into the inbox. If nobody hands over what is in there, the
   * thread does so with some of it, and has a task go on with the rest: one at a time, in the order
   * of the inbox. The event loop does so itself, between its looks at the connections: a virtual
   * thread would wait for a carrier behind those of the program, which may be many or busy.
   * isDraining is true while somebody does, and what is added before it becomes false is seen by
   * that one, or by the next.
   */
  private static final System.Logger log = System.getLogger(JGroupsTransport.class.getName());

  /** Messages that are taken from the inbox, or read, until the connections are looked at again. */
  private static final int BATCH_MAX = 256;

  /** Messages that are handed over at once. */
  private static final int PART_MAX = 16;

  /** For so long messages are handed over: what the node sends meanwhile leaves after that. */
  private static final long TURN_NANOS = 10_000_000;

  private static final long CLOSE_WAIT_SECONDS = 5;

  /** For so long answers are waited for when other nodes are looked for. */
  private static final long LOOK_MILLIS = 1000;

  /** A node of another version sends again and again, and need not be answered each time. */
  private static final long ANSWER_PAUSE_NANOS = 50_000_000;

  private final Env env;
  private final MessageCodec codec;
  private final JChannel channel;
  private final NodeId self;
  private final JGroupsReceiver receiver;
  private final Inbox inbox;

  /** The connections that messages go by, or null if they go by JGroups. */
  private final @Nullable Links links;

  private final Map<NodeId, SendLane> lanes = new ConcurrentHashMap<>();

  /** The lanes that nobody sends for yet. */
  private final ConcurrentLinkedQueue<SendLane> unsent = new ConcurrentLinkedQueue<>();

  private final Map<NodeId, SendBudget> budgets = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable ViewHint> view;
  private final GoneProber prober;
  private final AtomicBoolean isDraining = new AtomicBoolean();
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final AtomicBoolean isLooking = new AtomicBoolean();

  /** Asks who is there, or null if nodes are found without being asked. */
  private final org.jgroups.protocols.@Nullable Discovery asking;

  private final LossLog connections;
  private final LossLog malformed;
  private final LossLog inboxOverflows;
  private final LossLog streamOverflows;
  private final LossLog unconfirmed;
  private final LossLog failures;

  /** Counts messages if JGroups carries them. */
  private final SentCount sentByJGroups = new SentCount();

  // written by: senders; the frame of the last message since the last flush
  private volatile @Nullable Frame lastFrame;

  // written by: the one task that hands messages over
  private volatile long nextAnswerNanos;

  // written by: start
  private volatile @Nullable TransportHandler handler;

  private JGroupsTransport(
      JChannel channel,
      JGroupsReceiver receiver,
      LossLog connections,
      MessageCodec codec,
      boolean asks,
      Env env) {
    this.env = env;
    this.asking =
        asks
            ? channel.getProtocolStack().findProtocol(org.jgroups.protocols.Discovery.class)
            : null;
    this.codec = codec;
    this.channel = channel;
    this.self = JGroupsReceiver.node(channel.getAddress());
    this.receiver = receiver;
    this.inbox = receiver.inbox();
    this.links =
        channel.getProtocolStack().getTransport() instanceof LinkProtocol own ? own.links() : null;
    this.view = receiver.view();
    this.connections = connections;
    this.malformed = receiver.malformed();
    this.inboxOverflows = receiver.inboxOverflows();
    this.streamOverflows = new LossLog(log, env.nanoClock());
    this.unconfirmed = new LossLog(log, env.nanoClock());
    this.failures = new LossLog(log, env.nanoClock());
    this.nextAnswerNanos = env.nanoClock().nanoTime();
    if (links != null) {
      links.whenNotEncoded(this::notEncoded);
    }
    receiver.whenRead(new Reader());
    receiver.whenReceived(this::receive);
    this.prober =
        new GoneProber(
            env.scheduler(), env.nanoClock(), this::probedAt, this::isSeen, receiver::gone);
    receiver.whenSuspected(prober::probe);
  }

  /**
   * Connects to the cluster. Blocks until others are found, or not: about a second, and more if one
   * of them does not answer. A node whose only seed is itself waits for nobody.
   *
   * @param env gives the clock and runs the tasks; closed after this transport
   * @throws FatalGridException if the stack can't be read or the address can't be bound
   */
  public static JGroupsTransport open(TransportConfig config, MessageCodec codec, Env env) {
    ProtocolStackConfigurator stack = stack(config);
    JGroupsReceiver receiver = new JGroupsReceiver(log, env.nanoClock());
    LossLog connections = new LossLog(log, env.nanoClock());
    JChannel channel = null;
    try {
      channel = new JChannel(stack);
      channel.setDiscardOwnMessages(true);
      channel.setUpHandler(receiver);
      TP transport = channel.getProtocolStack().getTransport();
      if (transport instanceof LinkProtocol own) {
        own.use(
            new Links(
                new LinkReceiver(own, receiver, connections),
                codec,
                context(config, connections),
                env),
            config.discovery() instanceof Discovery.Seeds list ? list.seeds() : List.of());
      } else {
        secure(transport, config, env, connections);
      }
      tapSuspicions(channel, receiver);
      channel.connect(config.clusterName());
      ConnectionLog.limit(channel, connections);
    } catch (Exception failure) {
      if (channel != null) {
        channel.close();
      }
      throw failure instanceof FatalGridException fatal ? fatal : refusal(config, failure);
    }
    log.log(
        Level.INFO,
        "listening to the cluster: name={0}, node={1}, at={2}, sockets={3}, JGroups={4}",
        config.clusterName(),
        JGroupsReceiver.node(channel.getAddress()),
        physicalAddress(channel, channel.getAddress()),
        sockets(channel),
        Version.printVersion());
    return new JGroupsTransport(
        channel, receiver, connections, codec, isAnswered(config.discovery()), env);
  }

  private static String sockets(JChannel channel) {
    TP transport = channel.getProtocolStack().getTransport();
    Links links = transport instanceof LinkProtocol own ? own.links() : null;
    return links == null ? transport.getName() : links.sockets();
  }

  /** Whether nodes are found by asking them, and not by what was written of them somewhere. */
  private static boolean isAnswered(Discovery discovery) {
    return discovery instanceof Discovery.Seeds
        || discovery instanceof Discovery.Dns
        || discovery instanceof Discovery.Multicast;
  }

  private static @Nullable SSLContext context(TransportConfig config, LossLog connections) {
    TransportTls tls = config.tls();
    return tls == null ? null : TlsContext.of(tls, connections);
  }

  private static void secure(TP transport, TransportConfig config, Env env, LossLog connections) {
    TransportTls tls = config.tls();
    if (tls == null) {
      return;
    }
    if (!(transport instanceof TCP)) {
      throw new FatalGridException(
          "transport can't be secured: transport=%s, stack=%s; use TCP"
              .formatted(transport.getName(), config.stackFile()));
    }
    transport.setSocketFactory(TlsSockets.of(tls, env, connections));
  }

  /** Sees to it that the receiver hears of suspicions as soon as there are any. */
  private static void tapSuspicions(JChannel channel, JGroupsReceiver receiver) {
    org.jgroups.stack.ProtocolStack stack = channel.getProtocolStack();
    Protocol detection = stack.findProtocol(FD_SOCK2.class, FD_SOCK.class);
    if (detection != null) {
      stack.insertProtocolInStack(
          new SuspicionTap(receiver::suspect),
          detection,
          org.jgroups.stack.ProtocolStack.Position.ABOVE);
    }
  }

  private static ProtocolStackConfigurator stack(TransportConfig config) {
    Path file = config.stackFile();
    return file == null ? new ProtocolStack(config) : StackFile.read(file);
  }

  private static FatalGridException refusal(TransportConfig config, Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return new FatalGridException(
            "cluster address not free: address=%s, port=%d, reason=%s; end its user, or choose"
                    .formatted(config.bindAddress(), config.bindPort(), cause.getMessage())
                + " another one",
            failure);
      }
    }
    return new FatalGridException(
        "cluster not reached: name=%s, address=%s, port=%d, stack=%s, reason=%s; correct the"
                .formatted(
                    config.clusterName(),
                    config.bindAddress(),
                    config.bindPort(),
                    config.stackFile() == null ? "usual" : config.stackFile(),
                    failure)
            + " configuration",
        failure);
  }

  @Override
  public NodeId self() {
    return self;
  }

  @Override
  public void probe(NodeId node) {
    prober.probe(node);
  }

  @Override
  public @Nullable SeedAddress listensAt() {
    return seedAddress(channel.getAddress());
  }

  @Override
  public @Nullable SeedAddress listensAt(NodeId node) {
    return seedAddress(address(node));
  }

  @Override
  public void look() {
    org.jgroups.protocols.Discovery discovery = asking;
    if (discovery == null || isClosed.get() || !isLooking.compareAndSet(false, true)) {
      return;
    }
    try {
      env.scheduler().execute(() -> look(discovery));
    } catch (RejectedExecutionException closing) {
      isLooking.set(false);
    }
  }

  private void look(org.jgroups.protocols.Discovery discovery) {
    try {
      Responses answers = discovery.findMembers(null, false, false, LOOK_MILLIS);
      answers.waitFor(LOOK_MILLIS);
      answers.done();
      Set<NodeId> others = new LinkedHashSet<>();
      for (PingData answer : answers) {
        if (answer.getAddress() instanceof UUID address) {
          others.add(JGroupsReceiver.node(address));
        }
      }
      others.remove(self);
      receiver.found(others);
    } finally {
      isLooking.set(false);
    }
  }

  @Override
  public void write(int version) {
    codec.write(version);
  }

  @Override
  public void learn(Topology topology) {
    codec.write(codec.speaks().nearest(topology.protocol()));
    if (links != null) {
      links.learn(topology);
    }
  }

  private @Nullable SeedAddress seedAddress(Address of) {
    return physicalAddress(channel, of) instanceof IpAddress ip
        ? new SeedAddress(ip.getIpAddress().getHostAddress(), ip.getPort())
        : null;
  }

  /**
   * Where another node accepts connections, or null if that is not known. With UDP or within a
   * process nobody does: a refused connection would say nothing about the node then.
   */
  @Nullable InetSocketAddress probedAt(NodeId node) {
    if (node.equals(self)) {
      return null;
    }
    if (links != null) {
      return links.addressOf(node);
    }
    return channel.getProtocolStack().getTransport() instanceof BasicTCP
            && physicalAddress(channel, address(node)) instanceof IpAddress ip
        ? new InetSocketAddress(ip.getIpAddress(), ip.getPort())
        : null;
  }

  private boolean isSeen(NodeId node, long sinceNanos) {
    return receiver.isHeardSince(node, sinceNanos) || (links != null && links.isConnected(node));
  }

  private static @Nullable PhysicalAddress physicalAddress(JChannel channel, Address of) {
    Object address = channel.down(new Event(Event.GET_PHYSICAL_ADDRESS, of));
    return address instanceof PhysicalAddress physical ? physical : null;
  }

  /** What was lost so far. */
  public TransportCounters counters() {
    return new TransportCounters(
        malformed.count(),
        inboxOverflows.count(),
        streamOverflows.count(),
        unconfirmed.count(),
        failures.count(),
        connections.count());
  }

  @Override
  public @Nullable String lastTrouble() {
    return connections.last();
  }

  JChannel channel() {
    return channel;
  }

  @Nullable Links links() {
    return links;
  }

  @Override
  public void start(TransportHandler receiving) {
    handler = receiving;
    receiver.whenFailed(this::failed);
    wake();
  }

  @Override
  public List<String> tryOut(List<SeedAddress> seeds) {
    return SeedTrouble.of(seeds, listensAt());
  }

  @Override
  public boolean isRefused(SeedAddress address) {
    InetSocketAddress found = new InetSocketAddress(address.host(), address.port());
    return !found.isUnresolved() && GoneProber.isRefused(found);
  }

  @Override
  public @Nullable Long lastArrivalNanos(NodeId node) {
    return receiver.lastArrivalNanos(node);
  }

  @Override
  public SentMessages sentMessages() {
    return links == null ? sentByJGroups.sum() : links.sentMessages();
  }

  @Override
  public void send(NodeId to, Message message) {
    if (links != null) {
      send(links, to, message);
      return;
    }
    byte[] bytes;
    try {
      bytes = codec.encode(message);
    } catch (IllegalArgumentException tooLarge) {
      failures.add(() -> "message not sent: to=" + to + ", reason=" + tooLarge.getMessage());
      return;
    }
    if (!codec.isStream(message)) {
      BytesMessage urgent = new BytesMessage(address(to), bytes);
      urgent.setFlag(org.jgroups.Message.Flag.OOB, org.jgroups.Message.Flag.NO_FC);
      if (message.isFleeting()) {
        urgent.setFlag(org.jgroups.Message.Flag.NO_RELIABILITY);
      }
      sendNow(to, urgent);
      return;
    }
    SendLane lane =
        lanes.computeIfAbsent(
            to,
            node ->
                new SendLane(
                    env.scheduler(),
                    next -> sendInTurn(node, new BytesMessage(address(node), next)),
                    unsent::add));
    if (!lane.tryAdd(bytes)) {
      streamOverflows.add(() -> "message dropped, too many wait for their receiver: to=" + to);
    }
  }

  /** The message is encoded when it is sent: the caller has a lock that others wait for. */
  private void send(Links by, NodeId to, Message message) {
    boolean isStream = codec.isStream(message);
    if (!isClosed.get() && !by.tryAdd(to, isStream, frame(message))) {
      if (isStream) {
        streamOverflows.add(() -> "message dropped, too many wait for their receiver: to=" + to);
      } else {
        unconfirmed.add(() -> "message dropped, its receiver takes none: to=" + to);
      }
    }
  }

  /** The frame of a message, which is that of the last one if it goes to several nodes. */
  @SuppressWarnings("ReferenceEquality") // the same message, not one that is like it
  private Frame frame(Message message) {
    Frame last = lastFrame;
    if (last != null && last.message() == message) {
      last.share();
      return last;
    }
    Frame frame = Frame.of(message, codec.sizeBytes(message));
    lastFrame = frame;
    return frame;
  }

  /** On the event loop of the connections: a message is lost, or this node fails. */
  private void notEncoded(Message message, Throwable failure) {
    if (failure instanceof IllegalArgumentException tooLarge) {
      failures.add(() ->
          "message not sent: kind=%s, reason=%s"
              .formatted(message.getClass().getSimpleName(), tooLarge.getMessage()));
    } else if (failure instanceof Error unexpected) {
      failed(unexpected);
    } else {
      failed(new AssertionError("message not encoded: kind=" + message.getClass(), failure));
    }
  }

  @Override
  public void flush(boolean mayBlock) {
    lastFrame = null;
    if (links != null) {
      links.flush();
      return;
    }
    for (SendLane lane = unsent.poll(); lane != null; lane = unsent.poll()) {
      if (mayBlock) {
        lane.sendHere();
      } else {
        lane.sendAside();
      }
    }
  }

  @Override
  public boolean runsTasks() {
    return links != null;
  }

  @Override
  public void execute(Runnable task) {
    if (links == null) {
      throw new UnsupportedOperationException("no thread for tasks: node=" + self);
    }
    links.executeInTurn(task);
  }

  private void sendNow(NodeId to, BytesMessage message) {
    if (isClosed.get()) {
      return;
    }
    SendBudget budget =
        budgets.computeIfAbsent(
            to, node -> new SendBudget(new UnicastWindow(channel, address(node))));
    if (!budget.trySpend(message.getLength())) {
      unconfirmed.add(() -> "message dropped, its receiver confirms none: to=" + to);
      return;
    }
    try {
      channel.send(message);
      sentByJGroups.add(message.getLength());
    } catch (Exception failure) {
      if (!isClosed.get()) {
        failures.add(() -> "message not sent: to=" + to + ", reason=" + failure);
      }
    }
  }

  /** On a thread that has other things to do, or none. */
  private void sendInTurn(NodeId to, BytesMessage message) {
    try {
      sendNow(to, message);
    } catch (Error unexpected) {
      failed(unexpected);
    }
  }

  private void failed(Error unexpected) {
    TransportHandler receiving = handler;
    if (receiving != null && !isClosed.get()) {
      receiving.onFailure(unexpected);
    }
  }

  private static Address address(NodeId node) {
    return new UUID(node.high(), node.low());
  }

  /** Hands over what has come, some of it here and now. */
  private void receive() {
    if (handler == null || isClosed.get() || !isDraining.compareAndSet(false, true)) {
      return;
    }
    handOverOnce(this::handOver);
  }

  /** Hands something over, and has the rest handed over; isDraining is set. */
  private void handOverOnce(Runnable handingOver) {
    try {
      handingOver.run();
    } catch (RuntimeException failure) {
      log.log(Level.ERROR, "messages that came are lost, their handler failed", failure);
    } catch (Error unexpected) {
      failed(unexpected);
    } finally {
      isDraining.set(false);
    }
    if (!inbox.isEmpty() || view.get() != null) {
      wake();
    }
  }

  /** Sees to it that there is a task that hands over what has come. */
  private void wake() {
    if (handler == null || isClosed.get() || !isDraining.compareAndSet(false, true)) {
      return;
    }
    if (links != null) {
      links.executeInTurn(() -> handOverOnce(this::handOver));
      return;
    }
    try {
      env.scheduler().execute(this::drain);
    } catch (RejectedExecutionException closing) {
      isDraining.set(false);
    }
  }

  private void drain() {
    try {
      while (!isClosed.get() && handOver()) {
        // Until there is nothing left.
      }
    } catch (RuntimeException failure) {
      log.log(Level.ERROR, "messages that came are lost, their handler failed", failure);
    } catch (Error unexpected) {
      failed(unexpected);
    } finally {
      isDraining.set(false);
    }
    if (!inbox.isEmpty() || view.get() != null) {
      wake();
    }
  }

  /** Hands some over; false if there was nothing. */
  private boolean handOver() {
    TransportHandler receiving = handler;
    if (receiving == null) {
      return false;
    }
    ViewHint seen = view.getAndSet(null);
    if (seen != null) {
      lanes.entrySet().removeIf(lane -> isGone(lane.getKey(), lane.getValue(), seen));
      budgets.keySet().retainAll(seen.present());
      prober.present(seen.present());
      receiving.onView(seen);
    }
    long beganNanos = env.nanoClock().nanoTime();
    List<TransportHandler.Received> part = new ArrayList<>();
    int taken = 0;
    for (Inbox.Packet packet = inbox.poll(); packet != null; packet = inbox.poll()) {
      Message known = packet.message;
      Message message =
          known == null ? decode(packet.from, packet.array, packet.offset, packet.length) : known;
      if (message != null) {
        part.add(new TransportHandler.Received(packet.from, message));
      }
      taken++;
      if (part.size() == PART_MAX) {
        receiving.onMessages(part);
        part.clear();
        if (taken >= BATCH_MAX || isOver(beganNanos)) {
          break;
        }
      }
    }
    if (!part.isEmpty()) {
      receiving.onMessages(part);
    }
    return taken > 0 || seen != null;
  }

  private boolean isOver(long beganNanos) {
    return env.nanoClock().nanoTime() - beganNanos >= TURN_NANOS;
  }

  private static boolean isGone(NodeId node, SendLane lane, ViewHint seen) {
    boolean isGone = !seen.present().contains(node);
    if (isGone) {
      lane.clear();
    }
    return isGone;
  }

  /** Returns a message, or null if it is none, which is told then. */
  private @Nullable Message decode(NodeId from, byte[] array, int offset, int length) {
    try {
      return codec.decode(array, offset, length);
    } catch (OtherVersionException e) {
      malformed.add(() -> e.getMessage() + ", from=" + from);
      answerVersion(from, e.version());
    } catch (MalformedMessageException e) {
      malformed.add(() -> e.getMessage() + ", from=" + from + "; is it of our version?");
    }
    return null;
  }

  /**
   * Takes what the event loop of the connections reads. It is handed over at once unless a task is
   * at it, or something waits that comes first.
   */
  private final class Reader implements JGroupsReceiver.Reader {
    private final List<TransportHandler.Received> read = new ArrayList<>();
    private int bytes;

    @Override
    public void take(NodeId from, byte[] array, int length, boolean isOwn) {
      boolean isKept = !isOwn && codec.keepsArray(MessageLayout.type(array, 0, length));
      Message message = decode(from, isKept ? Arrays.copyOf(array, length) : array, 0, length);
      if (message != null) {
        read.add(new TransportHandler.Received(from, message));
        bytes += length;
      }
    }

    @Override
    public void received() {
      TransportHandler receiving = handler;
      boolean isNext = inbox.isEmpty() && view.get() == null && read.size() <= BATCH_MAX;
      if (receiving == null
          || !isNext
          || isClosed.get()
          || !isDraining.compareAndSet(false, true)) {
        putDown();
        receive();
        return;
      }
      handOverOnce(() -> handOver(receiving));
      if (!read.isEmpty()) {
        putDown();
        wake();
      }
    }

    /** Hands over the first ones, as many as there is time for. */
    private void handOver(TransportHandler receiving) {
      long beganNanos = env.nanoClock().nanoTime();
      int handed = 0;
      try {
        while (handed < read.size() && (handed == 0 || !isOver(beganNanos))) {
          int end = Math.min(handed + PART_MAX, read.size());
          List<TransportHandler.Received> part = read.subList(handed, end);
          handed = end;
          receiving.onMessages(part);
        }
      } finally {
        read.subList(0, handed).clear();
      }
    }

    /** Leaves what was not handed over to the inbox. */
    private void putDown() {
      int bytesOfEach = read.isEmpty() ? 0 : bytes / read.size();
      for (TransportHandler.Received each : read) {
        receiver.putDown(new Inbox.Packet(each.from(), each.message(), bytesOfEach));
      }
      read.clear();
      bytes = 0;
    }
  }

  /** Tells a node why it is not understood, now and then. */
  private void answerVersion(NodeId to, int version) {
    long now = env.nanoClock().nanoTime();
    if (version != MessageLayout.OTHER_VERSION && now - nextAnswerNanos >= 0) {
      nextAnswerNanos = now + ANSWER_PAUSE_NANOS;
      send(to, new MembershipMessage.OtherVersion(codec.speaks()));
      flush(false);
    }
  }

  /** {@inheritDoc} Its connections end before JGroups says good-bye, which can take seconds. */
  @Override
  public void abort() {
    if (links != null) {
      links.close();
    }
    close();
  }

  /** {@inheritDoc} Tells the others, and waits for that and for running tasks, 5 s at most. */
  @Override
  public void close() {
    if (!isClosed.compareAndSet(false, true)) {
      return;
    }
    prober.close();
    CountDownLatch closed = new CountDownLatch(1);
    Runnable closing =
        () -> {
          try {
            channel.close();
          } finally {
            closed.countDown();
          }
        };
    try {
      env.scheduler().execute(closing);
    } catch (RejectedExecutionException schedulerClosed) {
      closing.run();
    }
    try {
      if (!closed.await(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)) {
        log.log(Level.WARNING, "the cluster connection is still being closed: node={0}", self);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    lanes.values().forEach(SendLane::clear);
  }
}
