export interface Flow {
  from: string;
  to: string;
  kind: 'joined' | 'moved' | 'left';
  people: number;
}

interface Block {
  name: string;
  people: number;
  y: number;
  size: number;
}

interface Band {
  flow: Flow;
  /** The middle of the band at both ends. */
  from: number;
  to: number;
  thickness: number;
}

const HEIGHT = 300;
const GAP = 12;
const LEAST = 3;
/** A label needs this much room. */
const LABEL = 14;

/** Sorts flows so that joiners come first and leavers last, and large flows before small ones. */
export const flowsOf = (flows: readonly Flow[]): Flow[] => {
  const order: Record<Flow['kind'], number> = { joined: 0, moved: 1, left: 2 };
  return flows.toSorted((one, two) => order[one.kind] - order[two.kind] || two.people - one.people);
};

/** Places blocks for both sides of a Sankey diagram, and a band for each flow between them. */
export function layOut(flows: readonly Flow[]): {
  height: number;
  left: Block[];
  right: Block[];
  bands: Band[];
} {
  const total = flows.reduce((sum, { people }) => sum + people, 0);
  const thicknessOf = (people: number) => Math.max(LEAST, (people / total) * HEIGHT);
  const left = side(flows, ({ from }) => from, thicknessOf);
  const right = side(flows, ({ to }) => to, thicknessOf);
  const [used, usedThere] = [new Map<string, number>(), new Map<string, number>()];
  const middle = (blocks: Block[], name: string, taken: Map<string, number>, thickness: number) => {
    const before = taken.get(name) ?? 0;
    taken.set(name, before + thickness);
    return (blocks.find((block) => block.name === name)?.y ?? 0) + before + thickness / 2;
  };
  const bands = flows.map((flow): Band => {
    const thickness = thicknessOf(flow.people);
    return {
      flow,
      thickness,
      from: middle(left, flow.from, used, thickness),
      to: middle(right, flow.to, usedThere, thickness),
    };
  });
  const bottom = ({ y, size }: Block) => y + Math.max(size, LABEL) + GAP;
  return { left, right, bands, height: Math.max(...[...left, ...right].map(bottom)) };
}

function side(
  flows: readonly Flow[],
  nameOf: (flow: Flow) => string,
  thicknessOf: (people: number) => number,
) {
  const blocks: Block[] = [];
  let y = GAP;
  for (const [name, own] of Map.groupBy(flows, nameOf)) {
    const size = own.reduce((sum, { people }) => sum + thicknessOf(people), 0);
    blocks.push({ name, size, y, people: own.reduce((sum, { people }) => sum + people, 0) });
    y += Math.max(size, LABEL) + GAP;
  }
  return blocks;
}
