import { t } from '@lingui/core/macro';
import { Button, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { IconPlus } from '../../kit/icons/icons.ts';
import classes from './condition-builder.module.css';
import {
  type Condition,
  isComplete,
  isGroup,
  type Join,
  type Row,
  type Group as Rows,
  writeCondition,
} from './condition-model.ts';
import { readCondition } from './condition-reader.ts';
import { ConditionRow } from './condition-row.tsx';

interface Props {
  /** The condition in CEL, which the builder can show. */
  value: string;
  set: (value: string) => void;
}

const NEW_ROW: Row = { field: '', operator: 'is', values: [] };
const EMPTY: Condition = { join: 'and', items: [] };

const read = (value: string): Condition => {
  const condition = readCondition(value);
  return 'why' in condition ? EMPTY : condition;
};

const rowsIn = ({ items }: Condition) => items.flatMap((item) => (isGroup(item) ? item.rows : [item]));

/** Returns the CEL of a condition, or nothing as long as a row lacks something. */
const celOf = (condition: Condition) => {
  const rows = rowsIn(condition);
  return rows.length > 0 && rows.every(isComplete) ? writeCondition(condition) : '';
};

/** A condition as rows of field, operator and value, and groups of rows. Writes CEL. */
export function ConditionBuilder({ value, set }: Props) {
  const [condition, setCondition] = useState(() => read(value));
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setCondition(read(value));
  }
  const change = (next: Condition) => {
    const cel = celOf(next);
    setCondition(next);
    setKnown(cel);
    set(cel);
  };
  const { join, items } = condition;
  const replace = (index: number, ...put: Condition['items']) =>
    change({ join, items: items.toSpliced(index, 1, ...put) });
  const isEveryone = items.length === 0 && value.trim() === 'true';
  return (
    <div className={classes.builder}>
      {items.length === 0 && (
        <Text size="sm">{isEveryone ? t`The policy matches everyone.` : t`No conditions yet.`}</Text>
      )}
      {items.length > 1 && <JoinSelect join={join} set={(chosen) => change({ join: chosen, items })} />}
      {items.map((item, index) =>
        isGroup(item) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups have no identity.
          <GroupOfRows key={index} number={index + 1} of={item} set={(next) => replace(index, ...next)} />
        ) : (
          <ConditionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity.
            key={index}
            name={t`Condition ${{ number: index + 1 }}`}
            row={item}
            set={(row) => replace(index, row)}
            remove={() => replace(index)}
          />
        ),
      )}
      <Group gap="xs">
        <AddButton add={() => change({ join, items: [...items, NEW_ROW] })} />
        <Button
          variant="subtle"
          onClick={() =>
            change({
              join,
              items: [...items, { join: join === 'and' ? 'or' : 'and', rows: [NEW_ROW, NEW_ROW] }],
            })
          }
        >
          {t`Add group`}
        </Button>
        {items.length === 0 && !isEveryone && (
          <Button variant="subtle" onClick={() => set('true')}>
            {t`Match everyone`}
          </Button>
        )}
      </Group>
    </div>
  );
}

const AddButton = ({ add }: { add: () => void }) => (
  <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={add}>
    {t`Add condition`}
  </Button>
);

const JOINS = [
  { value: 'and', label: t`All of these match` },
  { value: 'or', label: t`Any of these matches` },
];

function JoinSelect({ join, set }: { join: Join; set: (join: Join) => void }) {
  return (
    <Select
      aria-label={t`How the conditions combine`}
      data={JOINS}
      value={join}
      onChange={(value) => set(value === 'or' ? 'or' : 'and')}
      allowDeselect={false}
      w={220}
    />
  );
}

interface GroupProps {
  number: number;
  of: Rows;
  /** Replaces the group, by nothing if its last row is removed. */
  set: (next: [] | [Rows]) => void;
}

function GroupOfRows({ number, of: group, set }: GroupProps) {
  const { join, rows } = group;
  const replace = (index: number, ...put: Row[]) => {
    const next = rows.toSpliced(index, 1, ...put);
    set(next.length === 0 ? [] : [{ join, rows: next }]);
  };
  return (
    <fieldset className={classes.group} aria-label={t`Group ${number}`}>
      <JoinSelect join={join} set={(chosen) => set([{ join: chosen, rows }])} />
      {rows.map((row, index) => (
        <ConditionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity.
          key={index}
          name={t`Condition ${{ row: index + 1 }} of group ${number}`}
          row={row}
          set={(next) => replace(index, next)}
          remove={() => replace(index)}
        />
      ))}
      <Group>
        <AddButton add={() => set([{ join, rows: [...rows, NEW_ROW] }])} />
      </Group>
    </fieldset>
  );
}
