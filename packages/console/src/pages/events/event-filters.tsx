import { Button, Group, MultiSelect, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustments } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useEventTypes } from '../../parts/event-types.ts';
import { FilterSelect, Filters } from '../../parts/filters.tsx';
import { PersonPicker } from '../../parts/person.tsx';
import { statusWord } from '../../parts/status.tsx';
import classes from './events.module.css';
import { CATALOGS, CATEGORIES, type EventsSearch, hasFilter, SEVERITIES } from './search.ts';

interface Props {
  at: EventsSearch;
  go: (change: Partial<EventsSearch>) => void;
}

const NO_FILTER: Partial<EventsSearch> = {
  catalog: undefined,
  type: undefined,
  category: undefined,
  severity: undefined,
  actor: undefined,
  subject: undefined,
  ip: undefined,
  from: undefined,
  to: undefined,
};

const catalogs = [
  { value: 'contract', label: 'Access and activity' },
  { value: 'configuration', label: 'Settings and decisions' },
];
const categories = CATEGORIES.map((value) => ({ value, label: sentenceCase(value) }));
const severities = SEVERITIES.map((value) => ({ value, label: statusWord(value) }));

function sentenceCase(name: string) {
  return (name[0] ?? '').toUpperCase() + name.slice(1).replaceAll('_', ' ');
}

/** All filters of the events API. The rare ones are in a second row. */
export function EventFilters({ at, go }: Props) {
  const rare = [at.actor, at.subject, at.ip, at.from, at.to].filter((value) => value !== undefined).length;
  const [open, more] = useDisclosure(rare > 0);
  return (
    <div className={classes.filters}>
      <Filters some={hasFilter(at)} clear={() => go(NO_FILTER)}>
        <FilterSelect
          label="Catalog"
          options={catalogs}
          value={at.catalog}
          set={(value) => go({ catalog: CATALOGS.find((one) => one === value) })}
        />
        <TypeSelect value={at.type} set={(type) => go({ type })} />
        <FilterSelect
          label="Category"
          options={categories}
          value={at.category}
          set={(value) => go({ category: CATEGORIES.find((one) => one === value) })}
        />
        <MultiSelect
          aria-label="Severity"
          {...(at.severity === undefined ? { placeholder: 'Severity' } : {})}
          data={severities}
          value={at.severity?.split(',') ?? []}
          onChange={(chosen) => go({ severity: chosen.length === 0 ? undefined : chosen.join(',') })}
          clearable
          miw={180}
        />
        <Button
          variant="default"
          aria-expanded={open}
          aria-controls="more-filters"
          leftSection={<IconAdjustments size={15} aria-hidden />}
          onClick={more.toggle}
        >
          {rare > 0 ? `More filters (${rare})` : 'More filters'}
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
        <div className={classes.person}>
          <PersonPicker
            label="Actor"
            value={at.actor ?? null}
            set={(actor) => go({ actor: actor ?? undefined })}
          />
        </div>
        <TextFilter label="Subject ID" value={at.subject} set={(subject) => go({ subject })} />
        <TextFilter label="IP address" value={at.ip} set={(ip) => go({ ip })} />
        <TextFilter label="From (UTC)" type="datetime-local" value={at.from} set={(from) => go({ from })} />
        <TextFilter label="To (UTC)" type="datetime-local" value={at.to} set={(to) => go({ to })} />
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
      aria-label="Event type"
      placeholder="Event type"
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
