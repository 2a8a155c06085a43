import { t } from '@lingui/core/macro';
import { Button, Group, MultiSelect, Select, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useEventTypes } from '../../events/event-types.ts';
import { statusWord } from '../../kit/controls/status.tsx';
import { IconAdjustments } from '../../kit/icons/icons.ts';
import { FilterSelect, Filters } from '../../kit/table/filters.tsx';
import { localInput, zoneWords } from '../../kit/text/words.ts';
import { PersonPicker } from '../../people/person.tsx';
import { CATEGORY_WORDS } from './categories.ts';
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
  { value: 'contract', label: t`Access and activity` },
  { value: 'configuration', label: t`Settings and decisions` },
];
const categories = CATEGORIES.map((value) => ({ value, label: CATEGORY_WORDS[value] }));
const severities = SEVERITIES.map((value) => ({ value, label: statusWord(value) }));

/** Addresses have times in UTC. The fields show them in the reader's zone. */
const toLocal = (utc: string | undefined) =>
  utc === undefined || Number.isNaN(Date.parse(`${utc}Z`)) ? utc : localInput(`${utc}Z`);
const toUtc = (local: string | undefined) =>
  local === undefined || Number.isNaN(Date.parse(local)) ? local : new Date(local).toISOString().slice(0, 16);

/** All filters of the events API. The rare ones are in a second row. */
export function EventFilters({ at, go }: Props) {
  const rare = [at.actor, at.subject, at.ip, at.from, at.to].filter((value) => value !== undefined).length;
  const [open, more] = useDisclosure(rare > 0);
  return (
    <div className={classes.filters}>
      <Filters some={hasFilter(at)} clear={() => go(NO_FILTER)}>
        <FilterSelect
          label={t`Catalog`}
          options={catalogs}
          value={at.catalog}
          set={(value) => go({ catalog: CATALOGS.find((one) => one === value) })}
        />
        <TypeSelect value={at.type} set={(type) => go({ type })} />
        <FilterSelect
          label={t`Category`}
          options={categories}
          value={at.category}
          set={(value) => go({ category: CATEGORIES.find((one) => one === value) })}
        />
        <MultiSelect
          aria-label={t`Severity`}
          {...(at.severity === undefined ? { placeholder: t`Severity` } : {})}
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
        <div className={classes.person}>
          <PersonPicker
            label={t`Actor`}
            value={at.actor ?? null}
            set={(actor) => go({ actor: actor ?? undefined })}
          />
        </div>
        <TextFilter label={t`Subject ID`} value={at.subject} set={(subject) => go({ subject })} />
        <TextFilter label={t`IP address`} value={at.ip} set={(ip) => go({ ip })} />
        <TextFilter
          label={t`From`}
          type="datetime-local"
          value={toLocal(at.from)}
          set={(from) => go({ from: toUtc(from) })}
        />
        <TextFilter
          label={t`To`}
          type="datetime-local"
          value={toLocal(at.to)}
          set={(to) => go({ to: toUtc(to) })}
        />
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
