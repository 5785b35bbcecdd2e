------------------------------- MODULE Lease -------------------------------
(* The lease of one primary p against the decisions of the voters.  Epoch 1 *)
(* has Voters1; they decide on epoch 2, whose voters are Voters2.  If       *)
(* DemotedAt is 2, epoch 2 demotes p.  If it is 3, p stays primary in epoch *)
(* 2, and Voters2 decide on epoch 3, which demotes it.                      *)
(*                                                                          *)
(* Each action, and the Java code that it stands for (dev.isogrid.cluster): *)
(*  SendHeartbeat    Lease.tick                                             *)
(*  Grant            Voter.onHeartbeat                                      *)
(*  GetLease         Lease.onGrant                                          *)
(*  Accept           Voter.onAccept, in a ballot that nobody disputes; see  *)
(*                   Decree.tla for ballots                                 *)
(*  Choose           Authority.onAccepted                                   *)
(*  Learn            Voter.install                                          *)
(*  LearnP           Lease.install                                          *)
(* What Voter.onPrepare blocks is left out: it only makes leases end.       *)
(*                                                                          *)
(* Time has no beginning and no end: what is kept is how long something     *)
(* will last.  A tick is one of the world, by which voters count.  The      *)
(* clock of p may miss one tick in Drift of them.  A clock that is fast     *)
(* makes the lease shorter, and a voter's that is fast is like one of p     *)
(* that is slow.                                                            *)
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS Voters1, Voters2, DemotedAt,
          L,                \* the length of a grant
          Margin,           \* by which p shortens the lease
          Drift,
          Awaited,          \* heartbeats whose grants p awaits at a time
          Off               \* the rules of cluster.Rule that are not obeyed
VARIABLES sinceMiss,        \* ticks until p's clock may miss one again
          beats,            \* [age by p's clock, epoch, voters that granted it]
          until,            \* by voter: how long its grants, or assumed ones, last
          knows,            \* by voter: its epoch
          accepted,         \* voters that accepted the epoch after theirs
          chosen,           \* the newest epoch that was decided
          pKnows,           \* p's epoch
          leaseLeft         \* how long p's lease lasts by p's clock
vars == <<sinceMiss, beats, until, knows, accepted, chosen, pKnows, leaseLeft>>

Holds(rule) == rule \notin Off
All == Voters1 \cup Voters2
VotersOf(e) == IF e = 1 THEN Voters1 ELSE Voters2
IsMajority(q, e) == 2 * Cardinality(q \cap VotersOf(e)) > Cardinality(VotersOf(e))
Max(a, b) == IF a > b THEN a ELSE b
Less(a) == IF a = 0 THEN 0 ELSE a - 1
Usable == IF Holds("DRIFT_MARGIN") THEN L - Margin ELSE L
Sym == Permutations(Voters1 \cap Voters2) \cup Permutations(Voters1 \ Voters2)
         \cup Permutations(Voters2 \ Voters1)

Init == /\ sinceMiss = 0 /\ beats = {} /\ accepted = {}
        /\ until = [v \in All |-> 0]
        /\ knows = [v \in All |-> 1]
        /\ chosen = 1 /\ pKnows = 1 /\ leaseLeft = 0

\* A heartbeat that is too old to give a lease is forgotten.
Tick(pTicks) ==
  /\ IF pTicks
     THEN /\ leaseLeft' = Less(leaseLeft)
          /\ beats' = {[b EXCEPT !.age = @ + 1] : b \in {x \in beats : x.age + 1 < L}}
          /\ sinceMiss' = Less(sinceMiss)
     ELSE /\ sinceMiss = 0 /\ sinceMiss' = Drift - 1
          /\ UNCHANGED <<leaseLeft, beats>>
  /\ until' = [v \in All |-> Less(until[v])]
  /\ UNCHANGED <<knows, accepted, chosen, pKnows>>
SendHeartbeat ==
  /\ \A b \in beats: b.age > 0
  /\ LET old == CHOOSE b \in beats: \A x \in beats: x.age <= b.age
         kept == IF Cardinality(beats) = Awaited THEN beats \ {old} ELSE beats
     IN beats' = kept \cup {[age |-> 0, epoch |-> pKnows, by |-> {}]}
  /\ UNCHANGED <<sinceMiss, until, knows, accepted, chosen, pKnows, leaseLeft>>
\* A voter that accepted a demotion grants p nothing, and one that accepted other voters
\* grants nothing at all.
IsBlocked(v) ==
  /\ v \in accepted
  /\ knows[v] + 1 = DemotedAt \/ Voters1 # Voters2
Grant(v) == \E b \in beats:
  /\ b.epoch = knows[v] /\ v \in VotersOf(b.epoch) /\ v \notin b.by
  /\ ~IsBlocked(v) \/ ~Holds("GRANT_STOP")
  /\ beats' = (beats \ {b}) \cup {[b EXCEPT !.by = @ \cup {v}]}
  /\ until' = [until EXCEPT ![v] = L]
  /\ UNCHANGED <<sinceMiss, knows, accepted, chosen, pKnows, leaseLeft>>
GetLease == \E b \in beats:
  /\ b.epoch = pKnows /\ IsMajority(b.by, b.epoch)
  /\ LET left == IF ~Holds("COUNT_FROM_SEND") THEN Usable
                 ELSE IF b.age < Usable THEN Usable - b.age ELSE 0
     IN left > leaseLeft /\ leaseLeft' = left
  /\ UNCHANGED <<sinceMiss, beats, until, knows, accepted, chosen, pKnows>>
Accept(v) ==
  /\ v \in VotersOf(knows[v]) /\ v \notin accepted /\ knows[v] < DemotedAt
  /\ until[v] = 0 \/ knows[v] + 1 # DemotedAt \/ ~Holds("ACCEPT_WAIT")
  /\ accepted' = accepted \cup {v}
  /\ UNCHANGED <<sinceMiss, beats, until, knows, chosen, pKnows, leaseLeft>>
Choose ==
  /\ chosen < DemotedAt
  /\ IsMajority({v \in accepted: knows[v] = chosen}, chosen)
  /\ chosen' = chosen + 1
  /\ UNCHANGED <<sinceMiss, beats, until, knows, accepted, pKnows, leaseLeft>>
\* A new voter does not know what the old ones granted, so it assumes that all have a lease.
Learn(v) ==
  /\ knows[v] = 1 /\ chosen > 1 /\ DemotedAt = 3
  /\ knows' = [knows EXCEPT ![v] = 2]
  /\ accepted' = accepted \ {v}
  /\ until' = IF Voters1 # Voters2 /\ v \in Voters2 /\ Holds("VOTER_HANDOVER")
              THEN [until EXCEPT ![v] = L] ELSE until
  /\ UNCHANGED <<sinceMiss, beats, chosen, pKnows, leaseLeft>>
LearnP ==
  /\ pKnows = 1 /\ chosen > 1 /\ DemotedAt = 3
  /\ pKnows' = 2 /\ beats' = {}
  /\ UNCHANGED <<sinceMiss, until, knows, accepted, chosen, leaseLeft>>
Next == \/ \E pTicks \in BOOLEAN: Tick(pTicks)
        \/ SendHeartbeat \/ GetLease \/ Choose \/ LearnP
        \/ \E v \in All: Grant(v) \/ Accept(v) \/ Learn(v)
Spec == Init /\ [][Next]_vars

\* When the demotion is decided, p does not serve any more, and will not as this primary.
NoTwoMasters == chosen = DemotedAt => leaseLeft = 0
=============================================================================
