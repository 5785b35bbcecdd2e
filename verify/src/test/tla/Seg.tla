-------------------------------- MODULE Seg --------------------------------
(* One segment: a primary gives each write its place, the in-sync replicas  *)
(* (ISR) keep it, the authority changes primary and ISR.  There is one key. *)
(*                                                                          *)
(* Each action, and the Java code that it stands for (dev.isogrid):         *)
(*  Invoke, Retry          engine.Calls.tryBegin, trySend                   *)
(*  TakeUnrecorded         engine.Calls.onReply, not recorded               *)
(*  Exec, ExecIf, Decline  engine.PrimaryRole.write, execute, append        *)
(*  AnswerDeclined         engine.PrimaryRole.answerUnrecorded, advance     *)
(*  Answer                 engine.PrimaryRole.answerFromRecord, answer, and *)
(*                         Calls.onReply                                    *)
(*  Read                   engine.PrimaryRole.read                          *)
(*  ReadCopy               engine.SegmentReplica.isReadable,                *)
(*                         ReplicatedEngine.peek                            *)
(*  LearnCommit            engine.SegmentReplica.onAppend, onSync; the      *)
(*                         message that says it is left out: what is        *)
(*                         committed anywhere may be learned at once        *)
(*  Commit                 engine.PrimaryRole.advance                       *)
(*  Release                engine.PrimaryRole.drain, release                *)
(*  GiveUp                 engine.SegmentReplica.onDrain, of a backup       *)
(*  AskAdd                 engine.PrimaryRole.tryAsk                        *)
(*  SendSync, Activate     engine.PrimaryRole.begin, tryActivate            *)
(*  SendCopy               engine.PrimaryRole.beginCopy; a copy is one step *)
(*                         here, see Copy.tla for its parts                 *)
(*  RecvRepl, RecvSync     engine.SegmentReplica.onAppend, onSync           *)
(*  RecvCopy               engine.SegmentReplica.onChunk                    *)
(*  Install                engine.SegmentReplica.install, PrimaryRole.end   *)
(*  Grant, Expire          cluster.Lease; Lease.tla has what is behind it   *)
(*  Shrink, Move, Expand,  topology.PlanStep, decided by Authority          *)
(*  Drop                                                                    *)
(*                                                                          *)
(* The authority is one register here; Decree.tla has what is behind it.    *)
(* Messages stay in msgs: one that is lost is never received, one that is   *)
(* late or doubled is received whenever.  A node that is dead does nothing  *)
(* more, which every behaviour allows.  Left out, since it changes no       *)
(* outcome: that an acknowledgement is received some time before it is made *)
(* use of, that the answer to a recorded operation travels, and that        *)
(* operations without a condition name an epoch (all primaries may carry    *)
(* them out here, which is worse).                                          *)
(*                                                                          *)
(* Off: the rules of cluster.Rule that are not obeyed.  Some names are of   *)
(* this module alone: parts of a rule, or what the Java code can't do       *)
(* without.  ANSWER_COMMITTED: a write is answered when it is committed.    *)
(* OPERATION_IN_EPOCH: an attempt names the epoch in which alone it may be  *)
(* carried out.  REMEMBER_UNRECORDED: the primary remembers answers that    *)
(* leave no record.  IGNORE_UNRECORDED: the client does not take such an    *)
(* answer once it made another attempt.                                     *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Nodes, FirstPrimary, FirstIsr,
          Writers,          \* clients whose operations change the entry
          Readers,
          Ifs,              \* clients whose operations change it on a condition,
          Wanted,           \* which is that there is "some" entry, or "none"
          OperationsMax,    \* of a client
          AttemptsMax,      \* of an operation with a condition
          EpochMax,
          Drains,           \* whether primaries are asked to give the segment up
          CopyReads,        \* whether backups answer reads, and are asked to give it up
          Off
VARIABLES cfg,              \* by epoch, what was decided: [primary, isr]
          ep, st, log, commit,
          synced,           \* the epoch in which the node was made equal or given a copy
          asked,            \* the learners that it asked to be added
          lease,
          declined,         \* [op, seen]: answers that left no record
          blind,            \* the node does not remember operations up to this place
          msgs, cl,
          order,            \* ghost: what was ever committed, by place
          shown,            \* ghost: the greatest place that an answer depended on
          told,             \* ghost: what clients were told of their operations
          bad               \* ghost: what went wrong
node == <<ep, st, log, commit, synced, asked, declined, blind>>
ghosts == <<order, shown, told, bad>>
vars == <<cfg, node, lease, msgs, cl, ghosts>>

Holds(rule) == rule \notin Off
Clients == Writers \cup Readers \cup Ifs
Max(a, b) == IF a > b THEN a ELSE b
cur == Len(cfg)
Prim(e) == cfg[e].primary
ISR(e) == cfg[e].isr
Send(m) == msgs' = msgs \cup {m}
Append1(n, op, chg) ==
  /\ log' = [log EXCEPT ![n] = Append(@, [op |-> op, chg |-> chg])]
  /\ Send([t |-> "REPL", e |-> ep[n], i |-> Len(log[n]) + 1,
           x |-> [op |-> op, chg |-> chg]])

Init == /\ cfg = <<[primary |-> FirstPrimary, isr |-> FirstIsr]>>
        /\ ep = [n \in Nodes |-> 1]
        /\ st = [n \in Nodes |-> IF n = FirstPrimary THEN "active" ELSE "follow"]
        /\ log = [n \in Nodes |-> <<>>]
        /\ commit = [n \in Nodes |-> 0]
        /\ synced = [n \in Nodes |-> IF n \in FirstIsr THEN 1 ELSE 0]
        /\ asked = [n \in Nodes |-> {}]
        /\ declined = [n \in Nodes |-> {}]
        /\ blind = [n \in Nodes |-> 0]
        /\ lease = [n \in Nodes |-> n = FirstPrimary]
        /\ msgs = {} /\ order = <<>> /\ shown = 0 /\ told = {} /\ bad = {}
        /\ cl = [c \in Clients |-> [k |-> 1, busy |-> FALSE, bound |-> 0, att |-> 0]]

\* ---- clients; operations are <<client, number>> --------------------------
Current(c) == <<c, cl[c].k>>
IsSent(op) == op[2] < cl[op[1]].k \/ cl[op[1]].busy
Invoke(c) ==
  /\ ~cl[c].busy /\ cl[c].k <= OperationsMax
  /\ cl' = [cl EXCEPT ![c].busy = TRUE, ![c].bound = shown, ![c].att = 1]
  /\ IF c \in Ifs
     THEN \E e \in 1..cur: Send([t |-> "OP", op |-> Current(c), e |-> e, n |-> 1])
     ELSE UNCHANGED msgs
  /\ UNCHANGED <<cfg, node, lease, ghosts>>
Retry(c) ==
  /\ c \in Ifs /\ cl[c].busy /\ cl[c].att < AttemptsMax
  /\ cl' = [cl EXCEPT ![c].att = @ + 1]
  /\ \E e \in 1..cur: Send([t |-> "OP", op |-> Current(c), e |-> e, n |-> cl[c].att + 1])
  /\ UNCHANGED <<cfg, node, lease, ghosts>>
\* An answer arrives.  What was shown before the operation began is not newer than it.
Finish(c, pos, kind, chg) ==
  /\ cl' = [cl EXCEPT ![c].busy = FALSE, ![c].k = @ + 1]
  /\ shown' = Max(shown, pos)
  /\ told' = IF kind = "read" THEN told
             ELSE told \cup {[op |-> Current(c), pos |-> pos, kind |-> kind, chg |-> chg]}
  /\ bad' = bad \cup
            (IF kind # "record" /\ pos < cl[c].bound THEN {"stale-answer"} ELSE {}) \cup
            (IF kind = "record" /\ pos <= cl[c].bound THEN {"write-in-past"} ELSE {})
  /\ UNCHANGED <<cfg, node, lease, msgs, order>>
TakeUnrecorded(c) == \E m \in msgs:
  /\ m.t = "DECLINED" /\ m.op = Current(c) /\ cl[c].busy
  /\ cl[c].att = 1 \/ ~Holds("RECORD_RETRIED") \/ ~Holds("IGNORE_UNRECORDED")
  /\ Finish(c, m.seen, "unrecorded", FALSE)

\* ---- primary --------------------------------------------------------------
IsServing(n) == Prim(ep[n]) = n /\ st[n] = "active"
IsLeased(n) == lease[n] \/ ~Holds("LEASE")
IsRecorded(n, op) == \E i \in (blind[n] + 1)..Len(log[n]): log[n][i].op = op
MayAppend(n, op) == ~IsRecorded(n, op) \/ (~Holds("DEDUP") /\ Len(log[n]) < 3)
Exec(n) == \E c \in Writers: \E k \in 1..cl[c].k:
  /\ IsServing(n) /\ IsSent(<<c, k>>) /\ MayAppend(n, <<c, k>>)
  /\ Append1(n, <<c, k>>, TRUE)
  /\ UNCHANGED <<cfg, ep, st, commit, synced, asked, declined, blind, lease, cl, ghosts>>
Matches(l) == (\E i \in 1..Len(l): l[i].chg) = (Wanted = "some")
Attempts(n) == {m \in msgs:
  /\ m.t = "OP"
  /\ m.e = ep[n] \/ ~Holds("OPERATION_IN_EPOCH")
  /\ MayAppend(n, m.op)
  /\ \/ m.n > 1
     \/ ~Holds("REMEMBER_UNRECORDED")
     \/ \A d \in declined[n]: d.op # m.op}
LeavesRecord(n, m) == Matches(log[n]) \/ (m.n > 1 /\ Holds("RECORD_RETRIED"))
ExecIf(n) == \E m \in Attempts(n):
  /\ IsServing(n) /\ LeavesRecord(n, m)
  /\ Append1(n, m.op, Matches(log[n]))
  /\ UNCHANGED <<cfg, ep, st, commit, synced, asked, declined, blind, lease, cl, ghosts>>
Decline(n) == \E m \in Attempts(n):
  /\ IsServing(n) /\ ~LeavesRecord(n, m) /\ IsLeased(n)
  /\ declined' = [declined EXCEPT ![n] = @ \cup {[op |-> m.op, seen |-> Len(log[n])]}]
  /\ UNCHANGED <<cfg, ep, st, log, commit, synced, asked, blind, lease, msgs, cl, ghosts>>
AnswerDeclined(n) == \E d \in declined[n]:
  /\ Prim(ep[n]) = n
  /\ d.seen <= commit[n] \/ ~Holds("WAIT_FOR_SEEN")
  /\ LET m == [t |-> "DECLINED", op |-> d.op, seen |-> d.seen] IN m \notin msgs /\ Send(m)
  /\ UNCHANGED <<cfg, node, lease, cl, ghosts>>
Answer(n, c) == \E i \in 1..Len(log[n]):
  /\ IsServing(n) /\ cl[c].busy /\ log[n][i].op = Current(c)
  /\ i <= commit[n] \/ ~Holds("ANSWER_COMMITTED")
  /\ Finish(c, i, "record", log[n][i].chg)
Read(n, c) ==
  /\ IsServing(n) /\ cl[c].busy /\ c \in Readers /\ IsLeased(n)
  /\ Finish(c, commit[n], "read", FALSE)
IsBackup(n) == n \in ISR(ep[n]) /\ Prim(ep[n]) # n
ReadCopy(n, c) ==
  /\ CopyReads /\ IsBackup(n) /\ synced[n] = ep[n] /\ st[n] = "follow"
  /\ cl[c].busy /\ c \in Readers /\ IsLeased(n)
  /\ commit[n] = Len(log[n]) \/ ~Holds("READ_SETTLED")
  /\ Finish(c, commit[n], "read", FALSE)
Has(k, e, i) == \E m \in msgs: m.t = "ACK" /\ m.e = e /\ m.from = k /\ m.i >= i
Needed(n) == IF ~Holds("COMMIT_ALL") THEN {}
             ELSE (ISR(ep[n]) \cup (IF Holds("UNION") THEN asked[n] ELSE {})) \ {n}
\* The places up to i are committed by n.
Committed(n, i) ==
  /\ order' = IF i > Len(order) THEN order \o SubSeq(log[n], Len(order) + 1, i) ELSE order
  /\ bad' = bad \cup
            (IF \E j \in 1..i: j <= Len(order) /\ order[j] # log[n][j]
             THEN {"other-commit"} ELSE {})
Commit(n) ==
  /\ IsServing(n) /\ commit[n] < Len(log[n])
  /\ \A k \in Needed(n): Has(k, ep[n], commit[n] + 1)
  /\ commit' = [commit EXCEPT ![n] = @ + 1]
  /\ Committed(n, commit[n] + 1)
  /\ UNCHANGED <<cfg, ep, st, log, synced, asked, declined, blind, lease, msgs, cl, shown, told>>
Release(n) ==
  /\ Drains /\ IsServing(n) /\ commit[n] = Len(log[n])
  /\ st' = [st EXCEPT ![n] = IF Holds("DRAIN") THEN "released" ELSE @]
  /\ Send([t |-> "RELEASED", e |-> ep[n]])
  /\ UNCHANGED <<cfg, ep, log, commit, synced, asked, declined, blind, lease, cl, ghosts>>
GiveUp(n) ==
  /\ CopyReads /\ IsBackup(n)
  /\ st' = [st EXCEPT ![n] = IF Holds("DRAIN") THEN "released" ELSE @]
  /\ LET m == [t |-> "GIVEN", e |-> ep[n], from |-> n] IN m \notin msgs /\ Send(m)
  /\ UNCHANGED <<cfg, ep, log, commit, synced, asked, declined, blind, lease, cl, ghosts>>
\* From then on the learner's acknowledgement is needed, too.
AskAdd(n) == \E k \in Nodes \ ISR(ep[n]):
  /\ IsServing(n) /\ k \notin asked[n] /\ Has(k, ep[n], commit[n])
  /\ asked' = [asked EXCEPT ![n] = @ \cup {k}]
  /\ Send([t |-> "ADD", e |-> ep[n], k |-> k])
  /\ UNCHANGED <<cfg, ep, st, log, commit, synced, declined, blind, lease, cl, ghosts>>
SendSync(n) ==
  /\ Prim(ep[n]) = n /\ st[n] = "recover"
  /\ LET m == [t |-> "SYNC", e |-> ep[n], l |-> log[n]] IN m \notin msgs /\ Send(m)
  /\ UNCHANGED <<cfg, node, lease, cl, ghosts>>
SendCopy(n) ==
  /\ IsServing(n) /\ Nodes # ISR(ep[n])
  /\ LET m == [t |-> "COPY", e |-> ep[n], l |-> SubSeq(log[n], 1, commit[n])]
     IN m \notin msgs /\ Send(m)
  /\ UNCHANGED <<cfg, node, lease, cl, ghosts>>
\* All in-sync replicas are in the new epoch and equal: what the log has is committed now.
Activate(n) ==
  /\ Prim(ep[n]) = n /\ st[n] = "recover" /\ IsLeased(n)
  /\ \/ \A k \in ISR(ep[n]) \ {n}: [t |-> "SYNCED", e |-> ep[n], from |-> k] \in msgs
     \/ ~Holds("SYNC_FIRST")
  /\ LET i == IF Holds("SYNC_FIRST") THEN Len(log[n]) ELSE commit[n] IN
     /\ commit' = [commit EXCEPT ![n] = i]
     /\ order' = IF i > Len(order) THEN order \o SubSeq(log[n], Len(order) + 1, i) ELSE order
     /\ bad' = bad \cup
               (IF Len(order) > Len(log[n]) \/ SubSeq(log[n], 1, Len(order)) # order
                THEN {"lost-commit"} ELSE {})
  /\ st' = [st EXCEPT ![n] = "active"]
  /\ UNCHANGED <<cfg, ep, log, synced, asked, declined, blind, lease, msgs, cl, shown, told>>

\* ---- replica --------------------------------------------------------------
RecvRepl(n) == \E m \in msgs:
  /\ m.t = "REPL" /\ Prim(m.e) # n /\ m.i = Len(log[n]) + 1
  /\ \/ m.e = ep[n] /\ synced[n] = m.e
     \/ ~Holds("FENCE") /\ m.e <= ep[n] /\ st[n] # "active"
  /\ log' = [log EXCEPT ![n] = Append(@, m.x)]
  /\ Send([t |-> "ACK", e |-> m.e, i |-> m.i, from |-> n])
  /\ UNCHANGED <<cfg, ep, st, commit, synced, asked, declined, blind, lease, cl, ghosts>>
RecvSync(n) == \E m \in msgs:
  /\ m.t = "SYNC" /\ m.e = ep[n] /\ n \in ISR(m.e) /\ Prim(m.e) # n /\ synced[n] # m.e
  /\ log' = [log EXCEPT ![n] = m.l]
  /\ synced' = [synced EXCEPT ![n] = m.e]
  /\ Send([t |-> "SYNCED", e |-> m.e, from |-> n])
  /\ UNCHANGED <<cfg, ep, st, commit, asked, declined, blind, lease, cl, ghosts>>
LearnCommit(n) ==
  /\ CopyReads /\ IsBackup(n) /\ synced[n] = ep[n]
  /\ commit[n] < Len(log[n]) /\ commit[n] < Len(order)
  /\ commit' = [commit EXCEPT ![n] = @ + 1]
  /\ UNCHANGED <<cfg, ep, st, log, synced, asked, declined, blind, lease, msgs, cl, ghosts>>
RecvCopy(n) == \E m \in msgs:
  /\ m.t = "COPY" /\ m.e = ep[n] /\ n \notin ISR(m.e) /\ synced[n] # m.e
  /\ log' = [log EXCEPT ![n] = m.l]
  /\ synced' = [synced EXCEPT ![n] = m.e]
  /\ Send([t |-> "ACK", e |-> m.e, i |-> Len(m.l), from |-> n])
  /\ UNCHANGED <<cfg, ep, st, commit, asked, declined, blind, lease, cl, ghosts>>
Install(n) == \E e \in (ep[n] + 1)..cur:
  LET kept == IF Prim(e) = n /\ ~Holds("KEEP_SUFFIX")
              THEN SubSeq(log[n], 1, commit[n]) ELSE log[n] IN
  /\ ep' = [ep EXCEPT ![n] = e]
  /\ st' = [st EXCEPT ![n] = IF Prim(e) = n THEN "recover" ELSE "follow"]
  /\ log' = [log EXCEPT ![n] = kept]
  /\ synced' = [synced EXCEPT ![n] = IF Prim(e) = n THEN e ELSE 0]
  /\ asked' = [asked EXCEPT ![n] = {}]
  /\ declined' = [declined EXCEPT ![n] = {}]
  /\ blind' = [blind EXCEPT ![n] =
                 IF Prim(e) = n /\ ~Holds("REPLICATE_DEDUP") THEN Len(kept) ELSE 0]
  /\ UNCHANGED <<cfg, commit, lease, msgs, cl, ghosts>>

\* ---- authority and leases ---------------------------------------------------
\* Voters grant to whoever was not demoted, even if it does not know the newest epoch.
MayRead(n, e) == Prim(e) = n \/ (CopyReads /\ n \in ISR(e))
Loses(n, c, d) == \/ c.primary = n /\ d.primary # n
                  \/ CopyReads /\ n \in c.isr /\ n \notin d.isr
Grant(n) == /\ ~lease[n] /\ MayRead(n, ep[n])
            /\ \A e \in (ep[n] + 1)..cur: ~Loses(n, cfg[e - 1], cfg[e])
            /\ lease' = [lease EXCEPT ![n] = TRUE]
            /\ UNCHANGED <<cfg, node, msgs, cl, ghosts>>
Expire(n) == /\ lease[n] /\ lease' = [lease EXCEPT ![n] = FALSE]
             /\ UNCHANGED <<cfg, node, msgs, cl, ghosts>>
Decide(p, s) == /\ cur < EpochMax
                /\ cfg' = Append(cfg, [primary |-> p, isr |-> s])
                /\ UNCHANGED <<node, lease, msgs, cl, ghosts>>
\* Who is not heard of goes out of the ISR; another one of it becomes primary.
Shrink == \E s \in SUBSET ISR(cur):
          \E p \in IF Holds("PROMOTE_IN_SYNC") THEN s ELSE Nodes:
          /\ s # {} /\ (p # Prim(cur) \/ s # ISR(cur))
          /\ p = Prim(cur) \/ ~lease[Prim(cur)]
          /\ \/ \A n \in Nodes: Loses(n, cfg[cur], [primary |-> p, isr |-> s \cup {p}]) => ~lease[n]
             \/ ~Holds("DEMOTE_REPLICA")
          /\ Decide(p, s \cup {p})
Drop == \E m \in msgs:
        /\ m.t = "GIVEN" /\ m.e = cur /\ m.from # Prim(cur)
        /\ Decide(Prim(cur), ISR(cur) \ {m.from})
Move == /\ [t |-> "RELEASED", e |-> cur] \in msgs
        /\ \E p \in ISR(cur): Decide(p, ISR(cur))
Expand == \E m \in msgs:
          /\ m.t = "ADD" /\ (m.e = cur \/ ~Holds("ADD_IN_EPOCH")) /\ m.k \notin ISR(cur)
          /\ Decide(Prim(cur), ISR(cur) \cup {m.k})

Next == \/ \E c \in Clients: Invoke(c) \/ Retry(c) \/ TakeUnrecorded(c)
        \/ \E n \in Nodes, c \in Clients: Answer(n, c) \/ Read(n, c) \/ ReadCopy(n, c)
        \/ \E n \in Nodes: \/ Exec(n) \/ ExecIf(n) \/ Decline(n) \/ AnswerDeclined(n)
                           \/ Commit(n) \/ Release(n) \/ AskAdd(n)
                           \/ SendSync(n) \/ SendCopy(n) \/ Activate(n)
                           \/ RecvRepl(n) \/ RecvSync(n) \/ RecvCopy(n) \/ Install(n)
                           \/ Grant(n) \/ Expire(n) \/ GiveUp(n) \/ LearnCommit(n)
        \/ Shrink \/ Move \/ Drop \/ Expand
Spec == Init /\ [][Next]_vars

\* ---- properties -------------------------------------------------------------
NoBad == bad = {}
\* What a client was told is in the committed order, or depends on it.
ToldIsCommitted == \A a \in told:
  /\ a.pos <= Len(order)
  /\ a.kind = "record" => order[a.pos] = [op |-> a.op, chg |-> a.chg]
\* A client that was told that the condition failed: it did, and nothing was changed.
DeclinedChangesNothing == \A a \in told: a.kind = "unrecorded" =>
  /\ ~Matches(SubSeq(order, 1, a.pos))
  /\ \A i \in 1..Len(order): order[i].op = a.op => ~order[i].chg
ExactlyOnce == \A i, j \in 1..Len(order): order[i].op = order[j].op => i = j
SingleServer == Cardinality({n \in Nodes: IsServing(n) /\ lease[n]}) <= 1
=============================================================================
