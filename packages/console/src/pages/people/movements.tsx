import { plural, t } from '@lingui/core/macro';
import { Select, Skeleton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { get, type Item } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Picture } from '../../kit/chart/picture.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { grouped } from '../../kit/text/words.ts';
import { formatTag } from '../../language/language.ts';
import { departmentName } from './access-heat-map.tsx';
import classes from './insights.module.css';
import { type Flow, flowsOf, layOut } from './movement-layout.ts';
import { peopleSearch } from './search.ts';

type Movement = Item<'/api/users/movements/'>;

const KINDS = { joined: t`Joined`, moved: t`Moved`, left: t`Left` };

const columns: Column<Flow>[] = [
  column.code('kind', t({ message: 'Change', context: 'a difference' }), KINDS),
  column.text('from', t`From`),
  column.text('to', t`To`),
  column.count('people', t`People`),
];

const MONTHS = 12;
const monthName = new Intl.DateTimeFormat(formatTag, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The last twelve months, the current one first. */
function months(now = new Date()) {
  return Array.from({ length: MONTHS }, (_, back) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    return { value: month.toISOString().slice(0, 7), label: monthName.format(month) };
  });
}

const flowOf = (movement: Movement): Flow => {
  const { from_place, from_department, to_place, to_department, people } = movement;
  const from =
    from_place === 'outside' ? t`Joined` : departmentName({ place: from_place, department: from_department });
  const to =
    to_place === 'outside' ? t`Left` : departmentName({ place: to_place, department: to_department });
  return {
    from,
    to,
    people,
    kind: from_place === 'outside' ? 'joined' : to_place === 'outside' ? 'left' : 'moved',
  };
};

/** The people who joined, moved between departments and left in a month. */
export function Movements() {
  const [at, go] = useAddress(peopleSearch);
  const options = months();
  const month = options.find(({ value }) => value === at.month) ?? options[0];
  const { data, error, refetch } = useQuery(get('/api/users/movements/', { query: { month: month?.value } }));
  const { ref, width } = useElementSize();
  const sum = (kind: Flow['kind']) =>
    flows.reduce((all, flow) => (flow.kind === kind ? all + flow.people : all), 0);
  const flows = (data?.results ?? []).map(flowOf);
  const [joined, moved, left] = [
    plural(sum('joined'), { one: '# person joined', other: '# people joined' }),
    plural(sum('moved'), { one: '# person moved', other: '# people moved' }),
    plural(sum('left'), { one: '# person left', other: '# people left' }),
  ];
  const time = month?.label ?? '';
  return (
    <>
      <Select
        aria-label={t`Month`}
        data={options}
        value={month?.value ?? null}
        onChange={(value) => go({ month: value ?? undefined })}
        allowDeselect={false}
        w={200}
        mb="sm"
      />
      {error !== null ? (
        <Failure error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={240} />
      ) : flows.length === 0 ? (
        <Empty title={t`Nobody joined, moved or left in ${time}`} />
      ) : (
        <Picture
          label={t`Joiners, movers and leavers in ${time}`}
          summary={t`${joined}, ${moved}, ${left}.`}
          columns={columns}
          rows={flows}
          rowId={({ from, to }) => `${from} ${to}`}
          file="movements"
        >
          <div ref={ref}>{width > 0 && <Sankey flows={flows} width={width} />}</div>
        </Picture>
      )}
    </>
  );
}

const LABELS = 0.3;

function Sankey({ flows, width }: { flows: Flow[]; width: number }) {
  const { height, left, right, bands } = layOut(flowsOf(flows));
  const side = Math.min(200, width * LABELS);
  const [start, end] = [side, width - side];
  const middle = (start + end) / 2;
  const fits = Math.max(4, Math.floor((side - 14) / 7) - 5);
  const short = (text: string) => (text.length > fits ? `${text.slice(0, fits - 1)}…` : text);
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: the frame names the picture.
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      {bands.map(({ flow, from, to, thickness }) => (
        <path
          key={`${flow.from} ${flow.to}`}
          className={classes.flow}
          data-kind={flow.kind}
          strokeWidth={thickness}
          d={`M${start},${from}C${middle},${from} ${middle},${to} ${end},${to}`}
        />
      ))}
      {left.map(({ name, people, y, size }) => (
        <g key={name}>
          <rect className={classes.block} x={start - 6} y={y} width={6} height={size} />
          <text className={`${classes.label} ${classes.end}`} x={start - 12} y={y + size / 2 + 4}>
            {`${short(name)} ${grouped(people)}`}
          </text>
        </g>
      ))}
      {right.map(({ name, people, y, size }) => (
        <g key={name}>
          <rect className={classes.block} x={end} y={y} width={6} height={size} />
          <text className={classes.label} x={end + 12} y={y + size / 2 + 4}>
            {`${grouped(people)} ${short(name)}`}
          </text>
        </g>
      ))}
    </svg>
  );
}
