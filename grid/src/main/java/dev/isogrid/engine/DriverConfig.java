package dev.isogrid.engine;

import dev.isogrid.cluster.FoundingRules;
import dev.isogrid.topology.MemberProfile;

/**
 * How a node takes part in a cluster.
 *
 * @param node the same on all nodes
 * @param founding when this node founds a cluster
 * @param profile the profile of the node at first
 */
public record DriverConfig(ClusterNodeConfig node, FoundingRules founding, MemberProfile profile) {}
