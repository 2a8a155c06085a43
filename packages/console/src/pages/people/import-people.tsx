import { Alert, Button, FileButton, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { ApiError, detailOf } from '../../api/error.ts';
import type { paths } from '../../api/schema.ts';
import { counted, grouped } from '../../parts/words.ts';
import classes from './people.module.css';
import { attributeText } from './person.ts';

type Outcome = paths['/api/users/import/']['post']['responses'][200]['content']['application/json'];

const EXAMPLE = `email,first_name,last_name,manager_email,department
grace@example.com,Grace,Hopper,,Engineering
ada@example.com,Ada,Lovelace,grace@example.com,Engineering`;

const upload = (text: string, dry_run: boolean) =>
  ok(
    api.POST('/api/users/import/', {
      params: { query: { dry_run } },
      body: text,
      bodySerializer: (body) => body,
      headers: { 'content-type': 'text/csv' },
    }),
  );

/** People from a CSV file: first what it would change and every bad row, then all of it or nothing. */
export function ImportPeople({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title="Import people" size="xl">
      <Import close={close} />
    </Modal>
  );
}

function Import({ close }: { close: () => void }) {
  const [text, setText] = useState('');
  const check = useChange((file: string) => upload(file, true), { tell: false });
  const save = useChange((file: string) => upload(file, false), {
    tell: false,
    said: (done) => `Imported: ${summary(done)}.`,
    after: close,
  });
  const write = (next: string) => {
    setText(next);
    check.reset();
    save.reset();
  };
  const failed = save.error ?? check.error;
  const found = check.data;
  const changes = found === undefined ? 0 : found.created + found.updated;
  return (
    <Stack gap="sm">
      <Text size="sm">
        The first line names the columns: fields of a person, manager_email, and any other name for an
        attribute. People are found by their email; all rows are imported, or none.
      </Text>
      <Group>
        <FileButton accept=".csv,text/csv" onChange={(file) => void file?.text().then(write)}>
          {(button) => (
            <Button variant="default" {...button}>
              Choose a file
            </Button>
          )}
        </FileButton>
      </Group>
      <Textarea
        label="Or paste it"
        value={text}
        placeholder={EXAMPLE}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        rows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      {failed !== null && <BadRows error={failed} />}
      {found !== undefined && <Changes of={found} />}
      <Group justify="flex-end" gap="xs">
        <Button
          variant={found === undefined ? 'filled' : 'default'}
          disabled={text.trim() === ''}
          loading={check.isPending}
          onClick={() => check.mutate(text)}
        >
          Check
        </Button>
        {found !== undefined && (
          <Button disabled={changes === 0} loading={save.isPending} onClick={() => save.mutate(text)}>
            Import {counted(changes, 'person', 'people')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

const summary = ({ created, updated, unchanged }: Outcome) =>
  `${grouped(created)} added, ${grouped(updated)} changed, ${grouped(unchanged)} as before`;

function BadRows({ error }: { error: unknown }) {
  const rows = error instanceof ApiError && Array.isArray(error.body.errors) ? error.body.errors : [];
  return (
    <Alert color="red" role="alert">
      {detailOf(error)}
      {rows.length > 1 && (
        <ul>
          {(rows as { path: string; message: string }[]).map(({ path, message }) => (
            <li key={path}>
              {path}: {message}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}

function Changes({ of: found }: { of: Outcome }) {
  const total = found.created + found.updated;
  return (
    <>
      <Text size="sm" fw={600} role="status">
        Every row is good. An import would leave: {summary(found)}.
      </Text>
      {found.changes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className={classes.changes} tabIndex={0} aria-label="What would change">
          <table>
            <thead>
              <tr>
                <th>Line</th>
                <th>Email</th>
                <th>What would change</th>
              </tr>
            </thead>
            <tbody>
              {found.changes.map(({ line, email, action, changes }) => (
                <tr key={line}>
                  <td>{line}</td>
                  <td>{email}</td>
                  <td>{action === 'created' ? 'added' : changes.map(inWords).join(', ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {total > found.changes.length && (
        <Text size="sm" c="dimmed">
          And {counted(total - found.changes.length, 'more', 'more')}.
        </Text>
      )}
    </>
  );
}

type Change = Outcome['changes'][number]['changes'][number];

const shown = (value: unknown) =>
  value === null || value === undefined || value === '' ? 'nothing' : attributeText(value);

const inWords = ({ field, from, to }: Change) =>
  `${field.replace(/^attributes\./, '')} from ${shown(from)} to ${shown(to)}`;
