import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Checkbox, Group, Popover, Stack, Switch, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.css';
import { useRouter } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { plainSearch } from '../browser/address.ts';
import { IconAdjustmentsHorizontal, IconMinus, IconPlus, IconTrash } from '../icons/icons.ts';
import classes from './table-panel.module.css';
import { type SavedView, type TableSettings, widthWithin } from './table-settings.ts';

const STEP = 24;
/** Parameters of the address that do not belong to a view. */
const PASSING = ['page', 'cursor', 'ask', 'dialog', 'new', 'event', 'follow'];

interface Props {
  columns: readonly { id: string; header: string }[];
  settings: TableSettings;
  change: (part: Partial<TableSettings>) => void;
  /** The current width of a column. */
  widthOf: (id: string) => number;
}

/** Chooses columns and their widths, the density, and saved views of a table. */
export function TablePanel({ columns, settings, change, widthOf }: Props) {
  const [opened, setOpened] = useState(false);
  const { hidden, widths, dense } = settings;
  const toggle = (id: string, isShown: boolean) =>
    change({ hidden: isShown ? hidden.filter((one) => one !== id) : [...hidden, id] });
  const widen = (id: string, by: number) =>
    change({ widths: { ...widths, [id]: widthWithin((widths[id] ?? widthOf(id)) + by) } });
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus width={300}>
      <Popover.Target>
        <ActionIcon
          className={classes.button ?? ''}
          aria-label={t`Arrange table`}
          title={t`Arrange table`}
          onClick={() => setOpened(!opened)}
        >
          <IconAdjustmentsHorizontal size={17} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Arrange table`} className={classes.panel ?? ''}>
        <Stack gap="xs">
          <Views settings={settings} change={change} />
          <Text size="sm" fw={600}>
            {t`Columns`}
          </Text>
          {columns.map(({ id, header }, index) => (
            <Group key={id} justify="space-between" wrap="nowrap" gap="xs">
              <Checkbox
                label={header}
                checked={!hidden.includes(id)}
                disabled={index === 0}
                onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}
              />
              <Group gap={2} wrap="nowrap">
                <ActionIcon
                  size="sm"
                  aria-label={t`Make ${header} narrower`}
                  onClick={() => widen(id, -STEP)}
                >
                  <IconMinus size={14} aria-hidden />
                </ActionIcon>
                <ActionIcon size="sm" aria-label={t`Make ${header} wider`} onClick={() => widen(id, STEP)}>
                  <IconPlus size={14} aria-hidden />
                </ActionIcon>
              </Group>
            </Group>
          ))}
          <Switch
            label={t`Compact rows`}
            checked={dense}
            onChange={({ currentTarget }) => change({ dense: currentTarget.checked })}
          />
          <Button
            variant="subtle"
            color="gray"
            onClick={() => change({ hidden: [], widths: {}, dense: false })}
          >
            {t`Reset columns`}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Views({ settings, change }: Pick<Props, 'settings' | 'change'>) {
  const [name, setName] = useState('');
  const router = useRouter();
  const { views, hidden } = settings;
  const apply = (view: SavedView) => {
    change({ hidden: view.hidden });
    void router.navigate({ to: '.', search: plainSearch.parseSearch(view.search) as never });
  };
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const kept = Object.entries(router.latestLocation.search).filter(([key]) => !PASSING.includes(key));
    const view = {
      name: name.trim(),
      hidden,
      search: plainSearch.stringifySearch(Object.fromEntries(kept)).slice(1),
    };
    change({ views: [...views.filter((one) => one.name !== view.name), view] });
    setName('');
  };
  return (
    <>
      <Text size="sm" fw={600}>
        {t`Saved views`}
      </Text>
      {views.map((view) => (
        <View
          key={view.name}
          name={view.name}
          apply={() => apply(view)}
          remove={() => change({ views: views.filter((one) => one !== view) })}
        />
      ))}
      <form onSubmit={save}>
        <Group gap="xs" wrap="nowrap">
          <TextInput
            className={classes.name ?? ''}
            aria-label={t`Name of the view`}
            placeholder={t`Name of the view`}
            value={name}
            maxLength={60}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={name.trim() === ''}>
            {t`Save`}
          </Button>
        </Group>
      </form>
      <Text size="xs" c="dimmed">
        {t`A view keeps filters, sorting and columns, in this browser.`}
      </Text>
    </>
  );
}

function View({ name, apply, remove }: { name: string; apply: () => void; remove: () => void }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Button variant="subtle" onClick={apply}>
        {name}
      </Button>
      <ActionIcon size="sm" aria-label={t`Delete the view ${name}`} onClick={remove}>
        <IconTrash size={14} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
