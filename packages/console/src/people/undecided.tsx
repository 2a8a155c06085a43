import { plural, t } from '@lingui/core/macro';
import { Alert, Text } from '@mantine/core';
import type { components } from '../api/schema.ts';
import { PersonLink } from './person.tsx';
import classes from './undecided.module.css';

type Undecided = components['schemas']['Undecided'];
type Reason = Undecided['reasons'][number];

/** The people for whom a condition is neither true nor false, and why. Nothing if there are none. */
export function UndecidedPeople({ of }: { of: Undecided | null | undefined }) {
  if (of === null || of === undefined || of.count === 0) return null;
  const others = of.count - of.people.length;
  return (
    <Alert
      color="yellow"
      my="xs"
      title={plural(of.count, {
        one: 'Left out: # person for whom the condition is undecided',
        other: 'Left out: # people for whom the condition is undecided',
      })}
    >
      <ul className={classes.reasons} aria-label={t`Reasons`}>
        {of.reasons.map((reason) => (
          <li key={`${reason.code} ${reason.field}`}>{reasonWords(reason)}</li>
        ))}
      </ul>
      <span className={classes.people}>
        {of.people.map((person) => (
          <PersonLink key={person.external_uuid} of={person} />
        ))}
        {others > 0 && <span>{plural(others, { one: 'and # more', other: 'and # more' })}</span>}
      </span>
      <Text size="sm" mt={4}>
        {t`To include or exclude people without a value, add whether the attribute exists. A name that nobody has may be misspelled.`}
      </Text>
    </Alert>
  );
}

function reasonWords({ code, field, count }: Reason): string {
  const of = plural(count, { one: '# person', other: '# people' });
  if (code === 'cost') return t`The condition exceeds the cost limit: ${of}`;
  const name = field ?? t`A part of the condition`;
  return code === 'missing' ? t`${name} has no value: ${of}` : t`${name} has a value of another type: ${of}`;
}
