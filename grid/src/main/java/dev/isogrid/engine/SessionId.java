package dev.isogrid.engine;

import dev.isogrid.topology.NodeId;

/**
 * Who numbers operations: a member, from when it joined until it is removed.
 *
 * @param node the member
 * @param joinedEpoch that of the member
 */
public record SessionId(NodeId node, int joinedEpoch) {}
