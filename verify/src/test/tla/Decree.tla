------------------------------- MODULE Decree ------------------------------
(* How the voters of one epoch decide on the next topology while two        *)
(* proposers want different ones, and what that has to do with the lease of *)
(* one primary p.  Epochs are decided one after the other, each by voters   *)
(* that know the one before, so one decree is all there is to look at.      *)
(*                                                                          *)
(* Each action, and the Java code that it stands for (dev.isogrid.cluster): *)
(*  Promise          Voter.onPrepare                                        *)
(*  Propose          Authority.onPromise                                    *)
(*  Accept, Wait     Voter.onAccept                                         *)
(*  (decided)        Authority.onAccepted                                   *)
(*  Beat             Lease.tick                                             *)
(*  Grant, GetLease  Voter.onHeartbeat, Lease.onGrant                       *)
(* Odd ballots are one proposer's, even ones the other's.                   *)
(*                                                                          *)
(* Leases are without clocks here: by Lease.tla, a voter's grant outlasts   *)
(* the lease that p has by it.                                              *)
(*                                                                          *)
(* Off: the rules of cluster.Rule that are not obeyed.  OUTVOTED is of this *)
(* module alone: a voter takes no part in a ballot that is less than one    *)
(* that it took part in; and so is ADOPT_NEWEST: of what was accepted, the  *)
(* proposer goes on with the newest.                                        *)
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS Voters, BallotMax,
          OddWants,         \* the topology that each proposer wants: one that
          EvenWants,        \* "demotes" p, or has other "voters"
          Leases,           \* whether p asks for any
          Off
VARIABLES promised,         \* by voter: the greatest ballot that it takes part in
          stops,            \* voters for whom that ballot demotes p
          accepted,         \* by voter: [b, x], ballot and topology
          msgs,
          granted,          \* voters that granted p's newest heartbeat
          live,             \* voters whose grants are not over by their clocks
          leasedBy,         \* voters by whose grants p has a lease, or nobody
          isLate,           \* ghost: the heartbeat was sent after other voters were decided
          bad               \* ghost: such a heartbeat gave a lease
lease == <<granted, live, leasedBy, isLate, bad>>
vars == <<promised, stops, accepted, msgs, lease>>

Holds(rule) == rule \notin Off
Sym == Permutations(Voters)
IsMajority(q) == 2 * Cardinality(q) > Cardinality(Voters)
Wanted(b) == IF b % 2 = 1 THEN OddWants ELSE EvenWants
Send(m) == msgs' = msgs \cup {m}
IsDecided(x) == \E b \in 1..BallotMax:
  IsMajority({v \in Voters: [t |-> "ACCEPTED", b |-> b, v |-> v, x |-> x] \in msgs})

Init == /\ promised = [v \in Voters |-> 0]
        /\ stops = {}
        /\ accepted = [v \in Voters |-> [b |-> 0, x |-> "nothing"]]
        /\ msgs = {}
        /\ granted = {} /\ live = {} /\ leasedBy = {} /\ isLate = FALSE /\ bad = FALSE

TakesPart(v, b, x) ==
  /\ b >= promised[v] \/ ~Holds("OUTVOTED")
  /\ promised' = [promised EXCEPT ![v] = b]
  /\ stops' = IF x = "demotes" THEN stops \cup {v} ELSE stops \ {v}
Promise(v, b) ==
  /\ b # promised[v] /\ TakesPart(v, b, Wanted(b))
  /\ Send([t |-> "PROMISE", b |-> b, v |-> v, a |-> accepted[v]])
  /\ UNCHANGED <<accepted, lease>>
\* With the promises of a majority, what was accepted in the greatest ballot is gone on with.
Propose(b) == \E q \in SUBSET Voters:
  LET promises == {m \in msgs: m.t = "PROMISE" /\ m.b = b /\ m.v \in q}
      old == {m \in promises: m.a.b > 0}
      newest == CHOOSE m \in promises: IF Holds("ADOPT_NEWEST")
                                      THEN \A o \in promises: o.a.b <= m.a.b
                                      ELSE m \in old \/ old = {}
      x == IF newest.a.b > 0 /\ Holds("ADOPT_ACCEPTED") THEN newest.a.x ELSE Wanted(b)
  IN /\ IsMajority(q) /\ {m.v : m \in promises} = q
     /\ ~\E m \in msgs: m.t = "ACCEPT" /\ m.b = b
     /\ Send([t |-> "ACCEPT", b |-> b, x |-> x])
     /\ UNCHANGED <<promised, stops, accepted, lease>>
MustWait(v, x) == x = "demotes" /\ v \in live /\ Holds("ACCEPT_WAIT")
Accept(v) == \E m \in msgs:
  /\ m.t = "ACCEPT" /\ accepted[v].b # m.b /\ TakesPart(v, m.b, m.x) /\ ~MustWait(v, m.x)
  /\ accepted' = [accepted EXCEPT ![v] = [b |-> m.b, x |-> m.x]]
  /\ Send([t |-> "ACCEPTED", b |-> m.b, v |-> v, x |-> m.x])
  /\ UNCHANGED lease
Wait(v) == \E m \in msgs:
  /\ m.t = "ACCEPT" /\ accepted[v].b # m.b /\ TakesPart(v, m.b, m.x) /\ MustWait(v, m.x)
  /\ UNCHANGED <<accepted, msgs, lease>>

Beat == /\ Leases /\ granted' = {} /\ isLate' = IsDecided("voters")
        /\ UNCHANGED <<promised, stops, accepted, msgs, live, leasedBy, bad>>
IsBlocked(v) == v \in stops \/ accepted[v].x \in {"demotes", "voters"}
Grant(v) == /\ Leases /\ v \notin granted /\ (~IsBlocked(v) \/ ~Holds("GRANT_STOP"))
            /\ granted' = granted \cup {v} /\ live' = live \cup {v}
            /\ UNCHANGED <<promised, stops, accepted, msgs, leasedBy, isLate, bad>>
GetLease == /\ IsMajority(granted)
            /\ leasedBy' = granted /\ bad' = (bad \/ isLate)
            /\ UNCHANGED <<promised, stops, accepted, msgs, granted, live, isLate>>
LeaseEnds == /\ leasedBy # {} /\ leasedBy' = {}
             /\ UNCHANGED <<promised, stops, accepted, msgs, granted, live, isLate, bad>>
GrantEnds(v) == /\ v \in live /\ v \notin leasedBy
                /\ live' = live \ {v} /\ granted' = granted \ {v}
                /\ UNCHANGED <<promised, stops, accepted, msgs, leasedBy, isLate, bad>>

Next == \/ \E v \in Voters: \/ \E b \in 1..BallotMax: Promise(v, b)
                            \/ Accept(v) \/ Wait(v) \/ Grant(v) \/ GrantEnds(v)
        \/ \E b \in 1..BallotMax: Propose(b)
        \/ Beat \/ GetLease \/ LeaseEnds
Spec == Init /\ [][Next]_vars

\* One topology for each epoch.
Agreement == Cardinality({x \in {OddWants, EvenWants}: IsDecided(x)}) <= 1
\* When the demotion is decided, the lease is over.
NoTwoMasters == IsDecided("demotes") => leasedBy = {}
\* New voters assume leases from when they learn of the change, so there must be no later ones.
NoLateLease == ~bad
=============================================================================
