/** A node of a graph of access. `path` is the address of its page in the console. */
export interface GraphNode {
  id: string;
  label: string;
  /** Its name for screen readers and as a tooltip, if other nodes may have the same label. */
  title?: string;
  path?: string;
}

/** Nodes in columns, with lines between nodes of different columns. */
export interface Graph {
  columns: { title: string; nodes: GraphNode[] }[];
  lines: { from: string; to: string }[];
}

/** The nodes of a column that a graph draws. The rest are counted. */
const MOST_NODES = 30;

/** Returns the nodes by column that a drawing shows, and how many it leaves out of each. */
export const shownOf = ({ columns }: Graph) =>
  columns.map(({ title, nodes }) => ({
    title,
    nodes: nodes.slice(0, MOST_NODES),
    hidden: Math.max(0, nodes.length - MOST_NODES),
  }));
