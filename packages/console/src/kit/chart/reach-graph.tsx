import { plural } from '@lingui/core/macro';
import { useElementSize } from '@mantine/hooks';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { TextLink } from '../controls/links.tsx';
import type { Column } from '../table/table-view.tsx';
import { Picture } from './picture.tsx';
import { type Graph, type GraphNode, shownOf } from './reach.ts';
import classes from './reach-graph.module.css';

interface Props<T> {
  label: string;
  summary: string;
  file: string;
  graph: Graph;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowId: (row: T) => string;
}

/** Below this width, columns of nodes do not fit, and the graph is a nested list. */
const NARROW = 620;
/** An exported graph has at least this width, whatever the screen. */
const EXPORTED = 1000;

/** A graph of access in columns: people, accounts, groups and apps. Each node links to its page. */
export function ReachGraph<T extends object>({ graph, ...picture }: Props<T>) {
  const { ref, width } = useElementSize();
  return (
    <Picture {...picture} interactive exported={<Drawing of={graph} width={Math.max(width, EXPORTED)} />}>
      <div ref={ref}>
        {width === 0 ? null : width < NARROW ? <Tree of={graph} /> : <Drawing of={graph} width={width} />}
      </div>
    </Picture>
  );
}

const HEIGHT = 26;
const STEP = 32;
const TOP = 24;
/** The part of a column that its nodes fill. The lines fill the rest. */
const FILLED = 0.74;
const CHARACTER = 7;

const SvgLink = createLink((props: ComponentPropsWithRef<'a'>) => <a {...props} />);

function Drawing({ of: graph, width }: { of: Graph; width: number }) {
  const columns = shownOf(graph);
  const wide = width / columns.length;
  const most = Math.max(...columns.map(({ nodes, hidden }) => nodes.length + (hidden > 0 ? 1 : 0)), 1);
  const height = TOP + most * STEP;
  const boxWidth = wide * FILLED;
  const places = new Map<string, { x: number; y: number }>();
  for (const [column, { nodes }] of columns.entries())
    for (const [row, { id }] of nodes.entries())
      places.set(id, { x: column * wide, y: TOP + row * STEP + HEIGHT / 2 });
  const path = (from: string, to: string) => {
    const [one, other] = [places.get(from), places.get(to)];
    if (one === undefined || other === undefined) return undefined;
    const [start, end] = [one.x + boxWidth, other.x];
    const middle = (start + end) / 2;
    const d = `M${start},${one.y}C${middle},${one.y} ${middle},${other.y} ${end},${other.y}`;
    return d;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in a drawing. The frame names the picture.
    <svg
      role="group"
      className={classes.graph}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      {graph.lines.map(({ from, to }) => {
        const d = path(from, to);
        return d === undefined ? null : <path key={`${from} ${to}`} className={classes.line} d={d} />;
      })}
      {columns.map(({ title, nodes, hidden }, column) => (
        <g key={title}>
          <text className={classes.title} x={column * wide} y={14}>
            {title}
          </text>
          {nodes.map((node, row) => (
            <Node key={node.id} node={node} x={column * wide} y={TOP + row * STEP} width={boxWidth} />
          ))}
          {hidden > 0 && (
            <text className={classes.title} x={column * wide + 8} y={TOP + nodes.length * STEP + 17}>
              {plural(hidden, { one: 'and # more', other: 'and # more' })}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function Node({ node, x, y, width }: { node: GraphNode; x: number; y: number; width: number }) {
  const fits = Math.max(4, Math.floor((width - 16) / CHARACTER));
  const title = <title>{node.title ?? node.label}</title>;
  const box = (
    <g className={classes.node} data-link={node.path === undefined ? undefined : true}>
      {node.path === undefined && title}
      <rect x={x} y={y} width={width} height={HEIGHT} rx={4} />
      <text x={x + 8} y={y + 17}>
        {node.label.length > fits ? `${node.label.slice(0, fits - 1)}…` : node.label}
      </text>
    </g>
  );
  if (node.path === undefined) return box;
  return (
    <SvgLink to={node.path}>
      {title}
      {box}
    </SvgLink>
  );
}

/** The graph as a nested list, for narrow screens. It begins with all nodes to which no line leads. */
function Tree({ of: graph }: { of: Graph }) {
  const shown = shownOf(graph);
  const byId = new Map(shown.flatMap(({ nodes }) => nodes.map((node) => [node.id, node] as const)));
  const lines = graph.lines.filter(({ from }) => byId.has(from));
  const next = Map.groupBy(lines, ({ from }) => from);
  const targets = new Set(lines.map(({ to }) => to));
  const roots = [...byId.values()].filter(({ id }) => !targets.has(id));
  const branch = ({ id, label, title, path }: GraphNode) => {
    const below = (next.get(id) ?? []).flatMap(({ to }) => byId.get(to) ?? []);
    return (
      <li key={id}>
        {path === undefined ? (
          label
        ) : (
          <TextLink to={path} aria-label={title ?? label}>
            {label}
          </TextLink>
        )}
        {below.length > 0 && <ul>{below.map(branch)}</ul>}
      </li>
    );
  };
  return (
    <ul className={classes.tree}>
      {roots.map(branch)}
      {shown.map(({ title, hidden }) =>
        hidden === 0 ? null : (
          <li key={title}>
            {title}: {plural(hidden, { one: 'and # more', other: 'and # more' })}
          </li>
        ),
      )}
    </ul>
  );
}
