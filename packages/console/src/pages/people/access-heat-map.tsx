import { plural, t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type Answer, get } from '../../api/client.ts';
import { Picture } from '../../kit/chart/picture.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { grouped } from '../../kit/text/words.ts';
import { formatTag } from '../../language/language.ts';
import classes from './insights.module.css';

type Access = Answer<'/api/users/access-by-department/'>;
type Department = Access['departments'][number];

interface Cell {
  app: string;
  department: string;
  people: number;
  /** All active people of the department. */
  of: number;
}

const share = ({ people, of }: Cell) => (of === 0 ? 0 : people / of);
const format = new Intl.NumberFormat(formatTag, { style: 'percent' });
const percent = (cell: Cell) => format.format(share(cell));

const columns: Column<Cell>[] = [
  column.text('app', t`App`),
  column.text('department', t`Department`),
  column.count('people', t`People with access`),
  column.count('of', t`People in the department`),
  column.text('share', t`Share`, percent, { right: true }),
];

export const departmentName = ({ place, department }: Pick<Department, 'place' | 'department'>) =>
  place === 'department' ? (department ?? '') : place === 'none' ? t`No department` : t`Other departments`;

/** How many people of each department have access to each app. */
export function AccessHeatMap() {
  const { data, error, refetch } = useQuery(get('/api/users/access-by-department/'));
  const { ref, width } = useElementSize();
  if (error !== null) return <Failure error={error} again={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={320} />;
  if (data.results.length === 0) return <Empty title={t`No active person has an account yet`} />;
  const { apps, departments, cells } = cellsOf(data);
  const top = cells.reduce((best, cell) => (share(cell) > share(best) ? cell : best));
  const named = data.departments.filter(({ place }) => place === 'department').length;
  const [appsText, departmentsText] = [
    plural(apps.length, { one: '# app', other: '# apps' }),
    plural(named, { one: '# department', other: '# departments' }),
  ];
  return (
    <Picture
      label={t`People with access, by app and department`}
      summary={t`${appsText} and ${departmentsText}. The largest share: ${{ share: percent(top) }} of the department ${{ department: top.department }} have access to ${{ app: top.app }}. The stronger the color of a cell, the larger the share of the department.`}
      columns={columns}
      rows={cells}
      rowId={({ app, department }) => `${app} ${department}`}
      file="access-by-department"
      interactive
    >
      <div ref={ref}>
        {width > 0 && <Cells apps={apps} departments={departments} cells={cells} width={width} />}
      </div>
    </Picture>
  );
}

function cellsOf({ departments, results }: Access) {
  const sizes = new Map(departments.map((one) => [departmentName(one), one.people]));
  const cells = results.map(
    ({ app, people, ...place }): Cell => ({
      app: app === null ? t`Other apps` : app.name,
      department: departmentName(place),
      people,
      of: sizes.get(departmentName(place)) ?? people,
    }),
  );
  const totals = new Map<string, number>();
  for (const { app, people } of cells) totals.set(app, (totals.get(app) ?? 0) + people);
  const other = t`Other apps`;
  const apps = [...totals.keys()].sort(
    (one, two) =>
      Number(one === other) - Number(two === other) || (totals.get(two) ?? 0) - (totals.get(one) ?? 0),
  );
  return { apps, cells, departments: [...sizes.keys()] };
}

const HEAD = 110;
const SIDE = 150;
const ROW = 30;
const NARROWEST = 44;
const CHARACTERS = 20;
const short = (text: string) => (text.length > CHARACTERS ? `${text.slice(0, CHARACTERS - 1)}…` : text);

interface CellsProps {
  apps: string[];
  departments: string[];
  cells: Cell[];
  width: number;
}

function Cells({ apps, departments, cells, width }: CellsProps) {
  const wide = Math.max(NARROWEST, Math.floor((width - SIDE - 60) / departments.length));
  const whole = SIDE + wide * departments.length + 60;
  const height = HEAD + apps.length * ROW;
  const at = (cell: Cell) => ({
    x: SIDE + departments.indexOf(cell.department) * wide,
    y: HEAD + apps.indexOf(cell.app) * ROW,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard.
    <section className={classes.scroll} tabIndex={0} aria-label={t`Heat map`}>
      <svg
        role="img"
        aria-label={t`Heat map`}
        width={whole}
        height={height}
        viewBox={`0 0 ${whole} ${height}`}
      >
        {departments.map((name, column) => (
          <text
            key={name}
            className={classes.label}
            transform={`translate(${SIDE + column * wide + wide / 2} ${HEAD - 8}) rotate(-38)`}
          >
            <title>{name}</title>
            {short(name)}
          </text>
        ))}
        {apps.map((name, row) => (
          <text
            key={name}
            className={`${classes.label} ${classes.end}`}
            x={SIDE - 8}
            y={HEAD + row * ROW + 19}
          >
            <title>{name}</title>
            {short(name)}
          </text>
        ))}
        {apps.flatMap((app, row) =>
          departments.map((department, column) => (
            <rect
              key={`${app} ${department}`}
              className={classes.empty}
              x={SIDE + column * wide}
              y={HEAD + row * ROW}
              width={wide - 2}
              height={ROW - 2}
            />
          )),
        )}
        {cells.map((cell) => {
          const { x, y } = at(cell);
          const about = t`${{ people: grouped(cell.people) }} of ${{ total: grouped(cell.of) }} people in ${{ department: cell.department }} have access to ${{ app: cell.app }}`;
          return (
            <g key={`${cell.app} ${cell.department}`}>
              <title>{about}</title>
              <rect
                className={classes.cell}
                x={x}
                y={y}
                width={wide - 2}
                height={ROW - 2}
                fillOpacity={0.06 + 0.46 * Math.min(1, share(cell))}
              />
              <text className={classes.count} x={x + wide / 2 - 1} y={y + 19}>
                {grouped(cell.people)}
              </text>
            </g>
          );
        })}
      </svg>
    </section>
  );
}
