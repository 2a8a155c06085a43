import { t } from '@lingui/core/macro';
import { ActionIcon, Select, Tooltip } from '@mantine/core';
import { IconTrash } from '../../kit/icons/icons.ts';
import classes from './builder.module.css';
import { type Condition, type Field, fieldIn, isAttribute, type Subject, stemOf } from './query.ts';
import { TextValue, Value } from './value.tsx';
import { fieldWord, GROUPS, operatorWord } from './words.ts';

interface Props {
  /** The accessible name of the row. */
  name: string;
  fields: readonly Field[];
  /** The attributes that people have, as fields. */
  attributes: readonly string[];
  subject: Subject;
  condition: Condition;
  set: (condition: Condition) => void;
  remove: () => void;
}

/** The fields of a subject, for a Select. */
export const offered = (fields: readonly Field[], subject: Subject, attributes: readonly string[]) => [
  ...Object.entries(GROUPS)
    .map(([prefix, group]) => ({
      group,
      items: fields
        .filter(({ name, subjects }) => name.startsWith(`${prefix}.`) && subjects.includes(subject))
        .map(({ name }) => ({ value: name, label: fieldWord(name) })),
    }))
    .filter(({ items }) => items.length > 0),
  { group: t`Attributes`, items: attributes.map((value) => ({ value, label: fieldWord(value) })) },
];

/** A condition: a field, an operator, and a value if the operator takes one. */
export function ConditionRow({ name, fields, attributes, subject, condition, set, remove }: Props) {
  const { field: path, operator } = condition;
  const field = fieldIn(fields, path);
  const stem = stemOf(path);
  const isOffered = attributes.includes(path);
  const chosen = isOffered ? path : stem;
  const choose = (next: string | null) => {
    const found = next === null ? undefined : fieldIn(fields, next);
    if (next === null || found === undefined || next === chosen) return;
    set({
      field: next,
      operator: found.operators[0]?.name ?? 'is',
      ...(found.type === 'flag' && { value: true }),
    });
  };
  const chooseOperator = (next: string | null) => {
    const takes = (one: string | null) => field?.operators.find((each) => each.name === one)?.takes;
    if (next === null) return;
    const isSame = takes(next) === takes(operator);
    set({ field: path, operator: next, ...(isSame && { value: condition.value }) });
  };
  return (
    <fieldset className={classes.row} aria-label={name}>
      <div className={classes.field}>
        <Select
          aria-label={t`Field`}
          placeholder={t`Choose a field`}
          data={offered(fields, subject, attributes)}
          value={field === undefined ? null : chosen}
          onChange={choose}
          searchable
          allowDeselect={false}
        />
        {field !== undefined && isAttribute(path) && !isOffered && (
          <TextValue
            label={t`Name of the attribute`}
            value={path.slice(stem.length)}
            set={(typed) => set({ ...condition, field: `${stem}${String(typed).trim()}` })}
          />
        )}
      </div>
      {field !== undefined && (
        <>
          <Select
            aria-label={t`Operator`}
            data={field.operators.map((one) => ({ value: one.name, label: operatorWord(one.name) }))}
            value={operator}
            onChange={chooseOperator}
            allowDeselect={false}
          />
          <Value field={field} condition={condition} set={(value) => set({ ...condition, value })} />
        </>
      )}
      <Tooltip label={t`Remove this condition`}>
        <ActionIcon className={classes.remove ?? ''} aria-label={t`Remove ${name}`} onClick={remove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </fieldset>
  );
}
