import { t } from '@lingui/core/macro';
import { Button, Group, MultiSelect, Select, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useEventTypes } from '../../events/event-types.ts';
import { statusWord } from '../../kit/controls/status.tsx';
import { IconAdjustments } from '../../kit/icons/icons.ts';
import { Filters } from '../../kit/table/filters.tsx';
import { cleared, FilterFields, filtersOf, isFiltered } from '../../kit/table/list-filters.tsx';
import { localInput, zoneWords } from '../../kit/text/words.ts';
import { PersonPicker } from '../../people/person.tsx';
import { CATEGORY_WORDS } from './categories.ts';
import classes from './events.module.css';
import { CATEGORIES, type EventsSearch, eventsSearch, SEVERITIES } from './search.ts';

/** Addresses have times in UTC. The fields show them in the reader's zone. */
const toLocal = (utc: string | undefined) =>
  utc === undefined || Number.isNaN(Date.parse(`${utc}Z`)) ? utc : localInput(`${utc}Z`);
const toUtc = (local: string | undefined) =>
  local === undefined || Number.isNaN(Date.parse(local)) ? local : new Date(local).toISOString().slice(0, 16);

const { select, field } = filtersOf(eventsSearch);

const COMMON = [
  select('catalog', t`Catalog`, [
    { value: 'contract', label: t`Access and activity` },
    { value: 'configuration', label: t`Settings and decisions` },
  ]),
  field('type', ({ type }, go) => <TypeSelect value={type} set={(next) => go({ type: next })} />),
  select(
    'category',
    t`Category`,
    CATEGORIES.map((value) => ({ value, label: CATEGORY_WORDS[value] })),
  ),
  field('severity', ({ severity }, go) => (
    <MultiSelect
      aria-label={t`Severity`}
      {...(severity === undefined ? { placeholder: t`Severity` } : {})}
      data={SEVERITIES.map((value) => ({ value, label: statusWord(value) }))}
      value={severity?.split(',') ?? []}
      onChange={(chosen) => go({ severity: chosen.length === 0 ? undefined : chosen.join(',') })}
      clearable
      miw={180}
    />
  )),
];

const textField = (name: 'subject' | 'ip', label: string) =>
  field(name, (at, go) => (
    <TextFilter label={label} value={at[name]} set={(value) => go({ [name]: value })} />
  ));

const timeField = (name: 'from' | 'to', label: string) =>
  field(name, (at, go) => (
    <TextFilter
      label={label}
      type="datetime-local"
      value={toLocal(at[name])}
      set={(value) => go({ [name]: toUtc(value) })}
    />
  ));

const RARE = [
  field('actor', ({ actor }, go) => (
    <div className={classes.person}>
      <PersonPicker
        label={t`Actor`}
        value={actor ?? null}
        set={(chosen) => go({ actor: chosen ?? undefined })}
      />
    </div>
  )),
  textField('subject', t`Subject ID`),
  textField('ip', t`IP address`),
  timeField('from', t`From`),
  timeField('to', t`To`),
];

/** All filters of the events API. */
export const EVENT_FILTERS = [...COMMON, ...RARE];

/** The filters above the events. The rare ones are in a second row. */
export function EventFilters({ at, go }: { at: EventsSearch; go: (change: Partial<EventsSearch>) => void }) {
  const rare = RARE.filter((one) => isFiltered(at, [one])).length;
  const [open, more] = useDisclosure(rare > 0);
  return (
    <div className={classes.filters}>
      <Filters some={isFiltered(at, EVENT_FILTERS)} clear={() => go(cleared(EVENT_FILTERS))}>
        <FilterFields at={at} go={go} declared={COMMON} />
        <Button
          variant="default"
          aria-expanded={open}
          aria-controls="more-filters"
          leftSection={<IconAdjustments size={15} aria-hidden />}
          onClick={more.toggle}
        >
          {rare > 0 ? t`More filters (${rare})` : t`More filters`}
        </Button>
      </Filters>
      <Group
        id="more-filters"
        gap="sm"
        align="flex-end"
        mb="sm"
        hidden={!open}
        className={classes.more ?? ''}
      >
        <FilterFields at={at} go={go} declared={RARE} />
        <Text size="xs" c="dimmed" w="100%">
          {zoneWords()}
        </Text>
      </Group>
    </div>
  );
}

interface FieldProps {
  value: string | undefined;
  set: (value: string | undefined) => void;
}

/** Selects one event type, or all types with a common prefix. */
function TypeSelect({ value, set }: FieldProps) {
  const options = useEventTypes();
  return (
    <Select
      aria-label={t`Event type`}
      placeholder={t`Event type`}
      data={options}
      value={value ?? null}
      onChange={(next) => set(next ?? undefined)}
      clearable
      searchable
      data-search
      w={230}
      maw="100%"
    />
  );
}

/** A text filter that applies on Enter or when the field loses focus. */
function TextFilter({
  label,
  type = 'text',
  value = '',
  set,
}: FieldProps & { label: string; type?: string }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const apply = () => {
    if (typed.trim() !== value) set(typed.trim() === '' ? undefined : typed.trim());
  };
  return (
    <TextInput
      label={label}
      type={type}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
      w={190}
      maw="100%"
    />
  );
}
