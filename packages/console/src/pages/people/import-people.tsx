import { Alert, Button, FileButton, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import type { paths } from '../../api/schema.ts';
import { issuesOf } from '../../parts/form-errors.ts';
import { counted, grouped } from '../../parts/words.ts';
import classes from './people.module.css';
import { attributeText } from './person.ts';

type Outcome = paths['/api/users/import/']['post']['responses'][200]['content']['application/json'];

const EXAMPLE = `email,first_name,last_name,manager_email,department
grace@example.com,Grace,Hopper,,Engineering
ada@example.com,Ada,Lovelace,grace@example.com,Engineering`;

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
  const check = useChange((csv: string) => upload(csv, true), { showFailure: false });
  const save = useChange((csv: string) => upload(csv, false), {
    showFailure: false,
    success: (outcome) => `Import completed: ${summary(outcome)}`,
    after: close,
  });
  const form = useForm({
    initialValues: { csv: '' },
    onValuesChange: () => {
      check.reset();
      save.reset();
    },
  });
  const { csv } = form.values;
  const error = save.error ?? check.error;
  const checked = check.data;
  const changes = checked === undefined ? 0 : checked.created + checked.updated;
  return (
    <form onSubmit={form.onSubmit(() => check.mutate(csv))}>
      <Stack gap="sm">
        <Text size="sm">
          The first line names the columns: fields of a person, manager_email, or the name of an attribute.
          Existing people are matched by email. If any row is invalid, nothing is imported.
        </Text>
        <Group>
          <FileButton
            accept=".csv,text/csv"
            onChange={(file) => void file?.text().then((text) => form.setFieldValue('csv', text))}
          >
            {(button) => (
              <Button variant="default" {...button}>
                Choose file
              </Button>
            )}
          </FileButton>
        </Group>
        <Textarea
          label="CSV text"
          placeholder={EXAMPLE}
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
  value === null || value === undefined || value === '' ? 'empty' : attributeText(value);

const describe = ({ field, from, to }: Change) =>
  `${field.replace(/^attributes\./, '')} from ${shown(from)} to ${shown(to)}`;
