import { Alert, Button, FileButton, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import type { paths } from '../../api/schema.ts';
import { save as download } from '../../parts/csv.ts';
import { issuesOf } from '../../parts/form-errors.ts';
import { Properties } from '../../parts/properties.tsx';
import { useUnsaved } from '../../parts/unsaved.ts';
import { counted, grouped } from '../../parts/words.ts';
import classes from './people.module.css';
import { attributeText, labelOf } from './person.ts';

type Outcome = paths['/api/users/import/']['post']['responses'][200]['content']['application/json'];

/** The columns of the file (docs/people.md). Every other column is an attribute. */
const COLUMNS = [
  ['email', 'Required. Finds the person, or adds a new one.'],
  ['first_name, last_name', 'The name.'],
  ['manager_email', 'The email of the manager, who may be in the same file.'],
  ['username', 'The email, if left out.'],
  ['identity_type', 'human or service_account.'],
  ['domain_type', 'internal or external.'],
  ['status', 'active or deactivated.'],
  ['role', 'owner, admin, auditor or member.'],
  ['start_date, end_date', 'Days such as 2026-11-21.'],
  ['any other name', 'An attribute, such as department or title.'],
] as const;

const TEMPLATE = [
  'email,first_name,last_name,manager_email,start_date,department,title',
  'grace@example.com,Grace,Hopper,,2026-01-01,Engineering,Head of Engineering',
  'ada@example.com,Ada,Lovelace,grace@example.com,2026-02-01,Engineering,Engineer',
].join('\r\n');

const upload = (csv: string, dry_run: boolean) =>
  ok(
    api.POST('/api/users/import/', {
      params: { query: { dry_run } },
      body: csv,
      bodySerializer: (body) => body,
      headers: { 'content-type': 'text/csv' },
    }),
  );

/** Imports people from a CSV file: first a check that lists all changes or all invalid rows, then the import. */
export function ImportPeople({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title="Import people" size="xl">
      <ImportForm close={close} />
    </Modal>
  );
}

function ImportForm({ close }: { close: () => void }) {
  const chosen = useRef<() => void>(null);
  const check = useChange((csv: string) => upload(csv, true), { showFailure: false });
  const save = useChange((csv: string) => upload(csv, false), {
    showFailure: false,
    success: (outcome) => `Import completed: ${summary(outcome)}`,
    after: () => {
      imported();
      close();
    },
  });
  const form = useForm({
    initialValues: { csv: '' },
    onValuesChange: () => {
      check.reset();
      save.reset();
    },
  });
  const { csv } = form.values;
  const imported = useUnsaved(csv !== '');
  const read = async (file: File | null) => {
    // Choosing the same file again, once it is corrected, must count as a change.
    chosen.current?.();
    if (file !== null) form.setFieldValue('csv', await file.text());
  };
  const error = save.error ?? check.error;
  const checked = check.data;
  const changes = checked === undefined ? 0 : checked.created + checked.updated;
  return (
    <form onSubmit={form.onSubmit(() => check.mutate(csv))}>
      <Stack gap="sm">
        <Text size="sm">
          The first line names the columns. Only <code>email</code> is required, and existing people are
          matched by it. If any row is invalid, nothing is imported.
        </Text>
        <Columns />
        <Group gap="xs">
          <FileButton accept=".csv,text/csv" resetRef={chosen} onChange={(file) => void read(file)}>
            {(button) => (
              <Button variant="default" leftSection={<IconUpload size={15} aria-hidden />} {...button}>
                Choose file
              </Button>
            )}
          </FileButton>
          <Button
            variant="default"
            leftSection={<IconDownload size={15} aria-hidden />}
            onClick={() => download('people-template.csv', `${TEMPLATE}\r\n`, 'text/csv')}
          >
            Download template
          </Button>
        </Group>
        <Textarea
          label="CSV text"
          placeholder={TEMPLATE}
          {...form.getInputProps('csv')}
          rows={8}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        {error !== null && <InvalidRows error={error} />}
        {checked !== undefined && <Changes outcome={checked} />}
        <Group justify="flex-end" gap="xs">
          <Button
            type="submit"
            variant={checked === undefined ? 'filled' : 'default'}
            disabled={csv.trim() === ''}
            loading={check.isPending}
          >
            Check rows
          </Button>
          {checked !== undefined && (
            <Button disabled={changes === 0} loading={save.isPending} onClick={() => save.mutate(csv)}>
              Import {counted(changes, 'person', 'people')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Columns() {
  return (
    <details className={classes.columns}>
      <summary>Columns</summary>
      <Properties of={COLUMNS} />
      <Text size="xs" c="dimmed" mt={4}>
        A column that is left out changes nothing. An empty cell clears a name, a manager, a date or an
        attribute.
      </Text>
    </details>
  );
}

const summary = ({ created, updated, unchanged }: Outcome) =>
  `${grouped(created)} added, ${grouped(updated)} updated, ${grouped(unchanged)} unchanged`;

function InvalidRows({ error }: { error: unknown }) {
  const rows = issuesOf(error);
  return (
    <Alert color="red" role="alert">
      {detailOf(error)}
      {rows.length > 1 && (
        <ul>
          {rows.map(({ path, message }) => (
            <li key={path}>
              {path}: {message}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}

function Changes({ outcome }: { outcome: Outcome }) {
  const total = outcome.created + outcome.updated;
  const hidden = total - outcome.changes.length;
  return (
    <>
      <Text size="sm" fw={600} role="status">
        All rows are valid. Result of the import: {summary(outcome)}.
      </Text>
      {outcome.changes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard.
        <section className={classes.changes} tabIndex={0} aria-label="Changes">
          <table>
            <thead>
              <tr>
                <th>Line</th>
                <th>Email</th>
                <th>Change</th>
              </tr>
            </thead>
            <tbody>
              {outcome.changes.map(({ line, email, action, changes }) => (
                <tr key={line}>
                  <td>{line}</td>
                  <td>{email}</td>
                  <td>{action === 'created' ? 'Added' : changes.map(describe).join(', ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {hidden > 0 && (
        <Text size="sm" c="dimmed">
          {counted(hidden, 'more change')} not shown.
        </Text>
      )}
    </>
  );
}

type Change = Outcome['changes'][number]['changes'][number];

const shown = (value: unknown) =>
  value === null || value === undefined || value === '' ? 'empty' : labelOf(attributeText(value));

const describe = ({ field, from, to }: Change) => `${fieldWord(field)} from ${shown(from)} to ${shown(to)}`;

const fieldWord = (field: string) =>
  field === 'manager_email' ? 'manager' : field.replace(/^attributes\./, '').replaceAll('_', ' ');
