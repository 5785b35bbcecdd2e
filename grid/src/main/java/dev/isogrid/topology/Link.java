package dev.isogrid.topology;

/**
 * The way from one node to another and back.
 *
 * @param from the node that wants an answer
 * @param to the node that must give it
 */
public record Link(NodeId from, NodeId to) {}
