import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { paths } from '../../api/schema.ts';
import { fieldWord } from '../../kit/text/field-words.ts';
import { Name } from '../../kit/text/name.tsx';
import { grouped } from '../../kit/text/words.ts';
import { serverText } from '../../language/server-text.ts';
import { labelOf } from '../../people/labels.ts';
import classes from './people.module.css';
import { attributeText } from './person.ts';

type Outcome = paths['/api/users/import/']['post']['responses'][200]['content']['application/json'];

const summary = ({ created, updated, unchanged }: Outcome) =>
  t`${{ added: grouped(created) }} added, ${{ changed: grouped(updated) }} updated, ${{ same: grouped(unchanged) }} unchanged.`;

/** The changes that an import would make. */
export function ImportChanges({ outcome }: { outcome: Outcome }) {
  const total = outcome.created + outcome.updated;
  const hidden = total - outcome.changes.length;
  return (
    <>
      <Text size="sm" fw={600} mb="xs">
        {summary(outcome)}
      </Text>
      {outcome.changes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard.
        <section className={classes.changes} tabIndex={0} aria-label={t`Changes`}>
          <table>
            <thead>
              <tr>
                <th>{t`Row`}</th>
                <th>{t`Email`}</th>
                <th>
                  <Trans context="a difference">Change</Trans>
                </th>
              </tr>
            </thead>
            <tbody>
              {outcome.changes.map((row) => (
                <tr key={row.line}>
                  <td>{row.line}</td>
                  <td>
                    <Name of={row.email} />
                  </td>
                  <td>
                    {lines(row).map((line) => (
                      <div key={line}>{line}</div>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {hidden > 0 && (
        <Text size="sm" c="dimmed">
          <Trans>
            <Plural value={hidden} one="# more change" other="# more changes" /> not shown.
          </Trans>
        </Text>
      )}
    </>
  );
}

type Row = Outcome['changes'][number];
type Change = Row['changes'][number];

/** Returns what happens to a row: its changes, whom a new person succeeds, and what stays as it is. */
function lines({ action, changes, succeeds, ignored = [] }: Row): string[] {
  const values = changes.filter(({ field }) => field !== 'email').map(value);
  const change = action === 'created' ? [t`Added`, ...values].join(', ') : changes.map(describe).join(', ');
  return [
    ...(change === '' ? [] : [change]),
    ...(succeeds ? [t`Gets the email of a former person, and nothing else of them`] : []),
    ...ignored.map(
      ({ attribute, reason, ...sentence }) =>
        t`${{ field: fieldWord(attribute) }} stays as it is: ${{ reason: serverText({ ...sentence, text: reason }) }}`,
    ),
  ];
}

const value = ({ field, to }: Change) => t`${{ field: fieldWord(field) }}: ${{ value: shown(to) }}`;

const shown = (value: unknown) =>
  value === null || value === undefined || value === '' ? t`empty` : labelOf(attributeText(value));

const describe = ({ field, from, to }: Change) =>
  t`${{ field: fieldWord(field) }} from ${{ before: shown(from) }} to ${{ after: shown(to) }}`;
