import { t } from '@lingui/core/macro';
import { Button, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { IconPlus } from '../kit/icons/icons.ts';
import classes from './condition-builder.module.css';
import {
  type Condition,
  INCOMPLETE,
  isComplete,
  isGroup,
  type Join,
  type Row,
  type Group as Rows,
  writeCondition,
} from './condition-model.ts';
import { readCondition } from './condition-reader.ts';
import { ConditionRow } from './condition-row.tsx';
import type { Owner } from './condition-vocabulary.ts';

interface Props {
  of: Owner;
  /** The condition in CEL, which the builder can show. */
  value: string;
  set: (value: string) => void;
  /** Whether the condition can be empty, which matches everyone. */
  optional: boolean;
  /** Rows to begin with. */
  begin: Condition | undefined;
  /** Whether incomplete rows are marked. */
  marks: boolean;
}

const NEW_ROW: Row = { field: '', operator: 'is', values: [] };
const EMPTY: Condition = { join: 'and', items: [] };

const read = (value: string, of: Owner): Condition => {
  const condition = readCondition(value, of);
  return 'why' in condition ? EMPTY : condition;
};

const rowsIn = ({ items }: Condition) => items.flatMap((item) => (isGroup(item) ? item.rows : [item]));

/** Returns the CEL of a condition: nothing without rows. */
const celOf = (condition: Condition) => {
  const rows = rowsIn(condition);
  if (rows.length === 0) return '';
  return rows.every(isComplete) ? writeCondition(condition) : INCOMPLETE;
};

/** A condition as rows of field, operator and value, and groups of rows. Writes CEL. */
export function ConditionBuilder({ of, value, set, optional, begin, marks }: Props) {
  const [condition, setCondition] = useState(() => begin ?? read(value, of));
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setCondition(read(value, of));
  }
  const change = (next: Condition) => {
    const cel = celOf(next);
    setCondition(next);
    setKnown(cel);
    set(cel);
  };
  const { join, items } = condition;
  const shared = { of, marks };
  const replace = (index: number, ...put: Condition['items']) =>
    change({ join, items: items.toSpliced(index, 1, ...put) });
  const isEveryone = items.length === 0 && (optional || value.trim() === 'true');
  return (
    <div className={classes.builder}>
      {items.length === 0 && (
        <Text size="sm">{isEveryone ? t`Everyone matches.` : t`No conditions yet.`}</Text>
      )}
      {items.length > 1 && <JoinSelect join={join} set={(chosen) => change({ join: chosen, items })} />}
      {items.map((item, index) =>
        isGroup(item) ? (
          <GroupOfRows
            // biome-ignore lint/suspicious/noArrayIndexKey: groups have no identity.
            key={index}
            number={index + 1}
            group={item}
            set={(next) => replace(index, ...next)}
            {...shared}
          />
        ) : (
          <ConditionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity.
            key={index}
            name={t`Condition ${{ number: index + 1 }}`}
            row={item}
            set={(row) => replace(index, row)}
            remove={() => replace(index)}
            {...shared}
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

interface GroupProps extends Pick<Props, 'of' | 'marks'> {
  number: number;
  group: Rows;
  /** Replaces the group, by nothing if its last row is removed. */
  set: (next: [] | [Rows]) => void;
}

function GroupOfRows({ number, group: { join, rows }, set, ...shared }: GroupProps) {
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
          {...shared}
        />
      ))}
      <Group>
        <AddButton add={() => set([{ join, rows: [...rows, NEW_ROW] }])} />
      </Group>
    </fieldset>
  );
}
