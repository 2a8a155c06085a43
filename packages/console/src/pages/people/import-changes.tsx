import { Text } from '@mantine/core';
import type { paths } from '../../api/schema.ts';
import { counted, grouped } from '../../parts/words.ts';
import classes from './people.module.css';
import { attributeText, labelOf } from './person.ts';

type Outcome = paths['/api/users/import/']['post']['responses'][200]['content']['application/json'];

const summary = ({ created, updated, unchanged }: Outcome) =>
  `${grouped(created)} added, ${grouped(updated)} updated, ${grouped(unchanged)} unchanged`;

/** The changes that an import would make. */
export function ImportChanges({ outcome }: { outcome: Outcome }) {
  const total = outcome.created + outcome.updated;
  const hidden = total - outcome.changes.length;
  return (
    <>
      <Text size="sm" fw={600} mb="xs">
        {summary(outcome)}.
      </Text>
      {outcome.changes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard.
        <section className={classes.changes} tabIndex={0} aria-label="Changes">
          <table>
            <thead>
              <tr>
                <th>Row</th>
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
