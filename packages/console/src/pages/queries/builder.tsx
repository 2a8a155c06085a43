import { t } from '@lingui/core/macro';
import { Button, Group, MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { View, Views } from '../../kit/controls/views.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import classes from './builder.module.css';
import { ConditionRow, offered } from './condition-row.tsx';
import { type Condition, type Field, isAttribute, type Query, type Subject, withSubject } from './query.ts';
import { SUBJECT_WORDS } from './words.ts';

interface Props {
  fields: readonly Field[];
  query: Query;
  set: (query: Query) => void;
}

const EMPTY: Condition = { field: '', operator: 'is' };
const MOST_CONDITIONS = 50;

/** Builds a query: its subject, the conditions that all have to hold, and the columns. */
export function Builder({ fields, query, set }: Props) {
  const { subject, conditions, columns = [] } = query;
  const known = useQuery({ ...get('/api/users/attributes/'), staleTime: 60_000 });
  const attributes = known.data?.results.map(({ name }) => `user.attributes.${name}`) ?? [];
  const put = (index: number, ...next: Condition[]) =>
    set({ ...query, conditions: conditions.toSpliced(index, 1, ...next) });
  const change = (next: string[]) => {
    const { columns: _, ...rest } = query;
    set(next.length === 0 ? rest : { ...rest, columns: next });
  };
  return (
    <div className={classes.builder}>
      <Views label={t`List`}>
        {(Object.keys(SUBJECT_WORDS) as Subject[]).map((one) => (
          <View
            key={one}
            pressed={one === subject}
            onClick={() => one !== subject && set(withSubject(fields, query, one))}
          >
            {SUBJECT_WORDS[one]}
          </View>
        ))}
      </Views>
      {conditions.map((condition, index) => (
        <ConditionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity.
          key={index}
          name={t`Condition ${{ number: index + 1 }}`}
          fields={fields}
          attributes={attributes}
          subject={subject}
          condition={condition}
          set={(next) => put(index, next)}
          remove={() => put(index)}
        />
      ))}
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          disabled={conditions.length >= MOST_CONDITIONS}
          onClick={() => set({ ...query, conditions: [...conditions, EMPTY] })}
        >
          {t`Add condition`}
        </Button>
      </Group>
      <MultiSelect
        className={classes.columns ?? ''}
        label={t`Columns`}
        data={offered(fields, subject, [...new Set([...attributes, ...attributesIn(query)])]).map(
          ({ group, items }) => ({ group, items: items.filter(({ value }) => !value.endsWith('.')) }),
        )}
        value={[...columns]}
        onChange={change}
        {...(columns.length === 0 ? { placeholder: t`Usual columns` } : {})}
        maxValues={30}
        searchable
        hidePickedOptions
      />
    </div>
  );
}

/** The attributes that the query names, which can be columns, too. */
const attributesIn = ({ conditions, columns = [] }: Query) =>
  [...conditions.map(({ field }) => field), ...columns].filter(
    (name) => isAttribute(name) && !name.endsWith('.'),
  );
