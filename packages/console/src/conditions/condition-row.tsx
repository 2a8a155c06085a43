import { t } from '@lingui/core/macro';
import { ActionIcon, Autocomplete, MultiSelect, Select, TextInput, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { spellingsOf } from '../../../protocol/src/person-attributes.ts';
import { get } from '../api/client.ts';
import { NameTags } from '../kit/form/name-tags.tsx';
import { IconTrash } from '../kit/icons/icons.ts';
import { AmongNames, Name } from '../kit/text/name.tsx';
import classes from './condition-builder.module.css';
import { isComplete, type Row } from './condition-model.ts';
import {
  attributeField,
  attributeLabel,
  attributeOf,
  FIELDS,
  fieldOf,
  OPERATORS,
  OPERATORS_OF,
  type Operator,
  type Owner,
  takesValue,
} from './condition-vocabulary.ts';

interface Props {
  /** The accessible name of the row. */
  name: string;
  row: Row;
  set: (row: Row) => void;
  remove: () => void;
  of: Owner;
  /** Whether the control that lacks something is marked. */
  marks: boolean;
}

/** One row of the builder: a field, an operator, and a value if the operator takes one. */
export function ConditionRow({ name, row, set, remove, of, marks }: Props) {
  const { field, operator } = row;
  const fields = useFields(field, of);
  const kind = fieldOf(field)?.kind;
  const choose = (path: string | null) => {
    const found = path === null ? undefined : fieldOf(path);
    if (path === null || found === undefined) return;
    const [first = 'is'] = OPERATORS_OF[found.kind];
    set({ field: path, operator: found.kind === kind ? operator : first, values: [] });
  };
  const chooseOperator = (next: Operator) =>
    set({
      ...row,
      operator: next,
      values: takesValue(next) ? row.values.slice(0, next === 'one_of' ? undefined : 1) : [],
    });
  return (
    <fieldset className={classes.row} aria-label={name}>
      <Select
        aria-label={t`Field`}
        placeholder={t`Choose a field`}
        data={fields}
        value={kind === undefined ? null : field}
        onChange={choose}
        error={marks && kind === undefined && t`Choose a field.`}
        searchable
        allowDeselect={false}
      />
      {kind !== undefined && (
        <Select
          aria-label={t`Operator`}
          data={OPERATORS_OF[kind].map((value) => ({ value, label: OPERATORS[value] }))}
          value={operator}
          onChange={(value) => value !== null && chooseOperator(value as Operator)}
          allowDeselect={false}
          description={
            operator === 'is_not' && kind === 'attribute' ? t`Includes people without a value` : undefined
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      )}
      {kind !== undefined && takesValue(operator) && (
        <Value
          row={row}
          set={(values) => set({ ...row, values })}
          error={marks && !isComplete(row) && t`Enter a value.`}
        />
      )}
      <Tooltip label={t`Remove this condition`}>
        <ActionIcon className={classes.remove ?? ''} aria-label={t`Remove ${name}`} onClick={remove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </fieldset>
  );
}

const attributes = () => ({ ...get('/api/users/attributes/'), staleTime: 60_000 });

const isSameAttribute = (name: string, other: string) => spellingsOf(name).includes(other);

/** The fields to choose from, with the attributes that people have, and the one of this row. */
function useFields(current: string, owner: Owner) {
  const { data } = useQuery(attributes());
  const own = attributeOf(current);
  const names = data?.results.map(({ name }) => name) ?? [];
  // The field of this row keeps the spelling that its condition has.
  if (own !== undefined && !names.includes(own)) {
    const other = names.findIndex((name) => isSameAttribute(name, own));
    names.splice(other === -1 ? names.length : other, other === -1 ? 0 : 1, own);
  }
  const of = (prefix: string) =>
    Object.entries(FIELDS)
      .filter(([path]) => path.startsWith(prefix))
      .map(([value, { label }]) => ({ value, label }));
  return [
    { group: t`Person`, items: of('user.') },
    {
      group: t`Attributes`,
      items: names.map((name) => ({ value: attributeField(name), label: attributeLabel(name) })),
    },
    ...(owner === 'policy' ? [{ group: t`Account`, items: of('account') }] : []),
  ];
}

/** The values that people have in this field, for suggestions. */
function useSuggestions(field: string): string[] {
  const { data } = useQuery(attributes());
  const isGroups = field === 'user.groups';
  const groups = useQuery({ ...get('/api/person-groups/', { query: { limit: 200 } }), enabled: isGroups });
  if (isGroups) return [...new Set(groups.data?.results.map(({ display_name }) => display_name) ?? [])];
  const name = attributeOf(field);
  return data?.results.find((one) => name !== undefined && isSameAttribute(one.name, name))?.values ?? [];
}

const drawOption = ({ option }: { option: { value: string } }) => <Name of={option.value} />;

interface ValueProps {
  row: Row;
  set: (values: string[]) => void;
  error: string | false;
}

function Value({ row: { field, operator, values }, set, error }: ValueProps) {
  const suggestions = useSuggestions(field);
  const options = fieldOf(field)?.options;
  const [value = ''] = values;
  const common = { 'aria-label': t`Value`, error };
  if (options !== undefined)
    return operator === 'one_of' ? (
      <MultiSelect {...common} data={options} value={values} onChange={set} />
    ) : (
      <Select
        {...common}
        placeholder={t`Choose a value`}
        data={options}
        value={value === '' ? null : value}
        onChange={(chosen) => set(chosen === null ? [] : [chosen])}
        allowDeselect={false}
      />
    );
  if (operator === 'one_of')
    return (
      <NameTags
        {...common}
        placeholder={values.length === 0 ? t`Type a value and press Enter` : ''}
        data={suggestions}
        value={values}
        onChange={set}
        acceptValueOnBlur
      />
    );
  const change = (typed: string) => set([typed]);
  if (operator === 'before' || operator === 'after' || operator === 'at_least')
    return (
      <TextInput
        {...common}
        type={operator === 'at_least' ? 'number' : 'date'}
        min={operator === 'at_least' ? 0 : undefined}
        value={value}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    );
  return (
    <AmongNames of={suggestions}>
      <Autocomplete
        {...common}
        data={suggestions}
        renderOption={drawOption}
        value={value}
        onChange={change}
        maxLength={500}
        limit={50}
      />
    </AmongNames>
  );
}
