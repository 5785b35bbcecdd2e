-------------------------------- MODULE Copy -------------------------------
(* How a learner gets a copy of a segment while writes go on, in one        *)
(* segment epoch, until the primary asks for it to be added to the in-sync  *)
(* replicas.  The other replicas are left out: what is not committed yet is *)
(* waiting for them.                                                        *)
(*                                                                          *)
(* Each action, and the Java code that it stands for (dev.isogrid.engine):  *)
(*  Write                 PrimaryRole.append                                *)
(*  Commit                PrimaryRole.advance, trim                         *)
(*  BeginCopy             PrimaryRole.learnersChanged, catchUp, beginCopy   *)
(*  RecvStored            PrimaryRole.onChunkStored                         *)
(*  RecvAck               PrimaryRole.onAppended                            *)
(*  AskAdd                PrimaryRole.tryAsk                                *)
(*  RecvChunk             SegmentReplica.onChunk, ReplicaLog.beginCopy,     *)
(*                        copied, endCopy                                   *)
(*  RecvEntry             SegmentReplica.onAppend, ReplicaLog.commit        *)
(*                                                                          *)
(* A write puts or removes one of Keys; its version is its place in the     *)
(* order.  A chunk has one key.  Messages stay in msgs: one that is lost is *)
(* never received, one that is late or doubled is received whenever.        *)
(*                                                                          *)
(* Off: the rules of cluster.Rule that are not obeyed.  ACK_OF_COPY is of   *)
(* this module alone: an acknowledgement counts only for the copy that the  *)
(* learner had begun when it was sent.                                      *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Keys,             \* 1..n: the order in which they are copied
          WritesMax,
          History,          \* committed writes that are kept for the learner
          Off
VARIABLES log, commit, ring,    \* primary: all writes, how many are committed, first kept
          table,                \* primary: by key, the version of the committed entry, or 0
          acked,                \* primary: what it takes the learner to have
          copy,                 \* primary: [start, next key], the copy that it is sending
          asked,                \* primary: whether it asked to add the learner
          start, next,          \* learner: its copy, and the next key of it
          last, lCommit,        \* learner: what was appended, what of it is committed
          lTable, tombs,        \* learner: as table; the versions of removals
          msgs
primary == <<log, commit, ring, table, acked, copy, asked>>
learner == <<start, next, last, lCommit, lTable, tombs>>
vars == <<primary, learner, msgs>>

Holds(rule) == rule \notin Off
Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b
Done == Cardinality(Keys) + 1
Nothing == [k \in Keys |-> 0]
\* A table after the writes from i to j.
RECURSIVE Applied(_, _, _)
Applied(t, i, j) ==
  IF i > j THEN t
  ELSE Applied([t EXCEPT ![log[i].k] = IF log[i].puts THEN i ELSE 0], i + 1, j)

Init == /\ log = <<>> /\ commit = 0 /\ ring = 1 /\ table = Nothing
        /\ acked = 0 /\ copy = [start |-> 0, next |-> 0] /\ asked = FALSE
        /\ start = 0 /\ next = 0 /\ last = 0 /\ lCommit = 0
        /\ lTable = Nothing /\ tombs = Nothing
        /\ msgs = {}

HasBegun == copy.next > 0
\* Sent when written and again when late, so at any time while it is kept.
Entry(i) == [t |-> "ENTRY", i |-> i]
Chunk(s, k) == [t |-> "CHUNK", start |-> s, k |-> k, version |-> table[k]]
Write == /\ Len(log) < WritesMax
         /\ \E k \in Keys, puts \in BOOLEAN: log' = Append(log, [k |-> k, puts |-> puts])
         /\ msgs' = IF HasBegun THEN msgs \cup {Entry(Len(log) + 1)} ELSE msgs
         /\ UNCHANGED <<commit, ring, table, acked, copy, asked, learner>>
Kept(c) == Max(IF HasBegun THEN Min(c, acked) ELSE c, IF c > History THEN c - History ELSE 0)
Commit == /\ commit < Len(log)
          /\ asked /\ Holds("UNION") => acked > commit
          /\ commit' = commit + 1
          /\ table' = Applied(table, commit + 1, commit + 1)
          /\ ring' = Max(ring, Kept(commit + 1) + 1)
          /\ UNCHANGED <<log, acked, copy, asked, learner, msgs>>
\* The first copy, or a new one since what follows the old one is not kept any more.
BeginCopy ==
  /\ ~HasBegun \/ acked + 1 < ring
  /\ LET s == IF Holds("COPY_FROM_COMMITTED") THEN commit ELSE Len(log) IN
     /\ copy' = [start |-> s, next |-> 1]
     /\ acked' = s
     /\ msgs' = msgs \cup {Chunk(s, 1)}
  /\ UNCHANGED <<log, commit, ring, table, asked, learner>>
Resend == \E i \in ring..Len(log):
  /\ HasBegun /\ i > acked /\ Entry(i) \notin msgs
  /\ msgs' = msgs \cup {Entry(i)}
  /\ UNCHANGED <<primary, learner>>
RecvStored == \E m \in msgs:
  /\ m.t = "STORED" /\ m.start = copy.start /\ m.k = copy.next
  /\ copy' = [copy EXCEPT !.next = @ + 1]
  /\ msgs' = IF m.k + 1 \in Keys THEN msgs \cup {Chunk(m.start, m.k + 1)} ELSE msgs
  /\ UNCHANGED <<log, commit, ring, table, acked, asked, learner>>
RecvAck == \E m \in msgs:
  /\ m.t = "ACK" /\ HasBegun /\ m.i > acked
  /\ m.start = copy.start \/ ~Holds("ACK_OF_COPY")
  /\ acked' = Min(m.i, Len(log))
  /\ ring' = Max(ring, Max(Min(commit, acked'),
                           IF commit > History THEN commit - History ELSE 0) + 1)
  /\ UNCHANGED <<log, commit, table, copy, asked, learner, msgs>>
AskAdd == /\ copy.next = Done /\ acked >= commit /\ ~asked /\ asked' = TRUE
          /\ UNCHANGED <<log, commit, ring, table, acked, copy, learner, msgs>>

RecvChunk == \E m \in msgs:
  LET begins == m.k = 1 /\ (m.start > start \/ next = 0)
      isNext == begins \/ (m.start = start /\ m.k = next)
      old == IF begins THEN Nothing ELSE lTable
      dead == IF begins \/ ~Holds("LEARNER_TOMBSTONES") THEN Nothing ELSE tombs
  IN /\ m.t = "CHUNK" /\ isNext
     /\ start' = m.start /\ next' = m.k + 1
     /\ last' = IF begins THEN m.start ELSE last
     /\ lCommit' = IF begins THEN m.start ELSE lCommit
     /\ lTable' = IF m.version > Max(old[m.k], dead[m.k])
                  THEN [old EXCEPT ![m.k] = m.version] ELSE old
     /\ tombs' = IF begins \/ m.k + 1 = Done THEN Nothing ELSE tombs
     /\ msgs' = msgs \cup {[t |-> "STORED", start |-> m.start, k |-> m.k]}
     /\ UNCHANGED primary
\* The learner appends the entry and learns that those up to c are committed.
RecvEntry == \E m \in msgs: \E c \in {lCommit, commit}:
  LET to == Max(lCommit, Min(c, last'))
      writes(k) == {i \in (lCommit + 1)..to: log[i].k = k}
  IN /\ m.t = "ENTRY" /\ next > 0
     /\ last' = IF m.i = last + 1 THEN m.i ELSE last
     /\ lCommit' = to
     /\ lTable' = Applied(lTable, lCommit + 1, to)
     /\ tombs' = IF next = Done THEN tombs
                 ELSE [k \in Keys |->
                        IF writes(k) = {} THEN tombs[k]
                        ELSE LET i == CHOOSE j \in writes(k): \A h \in writes(k): h <= j
                             IN IF log[i].puts THEN 0 ELSE i]
     /\ msgs' = msgs \cup {[t |-> "ACK", start |-> start, i |-> last']}
     /\ UNCHANGED <<primary, start, next>>

Next == \/ Write \/ Commit \/ BeginCopy \/ Resend \/ RecvStored \/ RecvAck \/ AskAdd
        \/ RecvChunk \/ RecvEntry
Spec == Init /\ [][Next]_vars

\* From when the learner may be added on it has every committed write.
LearnerIsInSync == asked =>
  /\ last >= commit
  /\ Applied(lTable, lCommit + 1, Max(commit, lCommit)) = table
=============================================================================
