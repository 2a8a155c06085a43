import { plural, t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import type { components } from '../api/schema.ts';
import { PersonName } from './person.tsx';
import classes from './undecided.module.css';

type Excluded = components['schemas']['Excluded'];

const REASONS: Record<Excluded['because'], string> = {
  self: t`acts on their own access`,
  role: t`gave a role to the person who acts`,
  sign_in_link: t`made a sign-in link for the person who acts`,
  factor: t`removed a second factor of the person who acts`,
  deputy: t`made the person who acts their deputy`,
  key: t`transferred an API key to the person who acts`,
  person: t`created the person who acts`,
  email: t`changed the email of the person who acts`,
  provider: t`created or changed the sign-in provider of the person who acts`,
  chain: t`gave somebody the means to act, who gave them to the person who acts`,
};

/** The people behind an act on many, whom the act leaves out. Nothing if there are none. */
export function ExcludedPeople({ of }: { of: readonly Excluded[] }) {
  if (of.length === 0) return null;
  return (
    <Alert
      color="yellow"
      my="xs"
      title={plural(of.length, {
        one: 'Left out: # person, whose access another administrator has to decide',
        other: 'Left out: # people, whose access another administrator has to decide',
      })}
    >
      <ul className={classes.reasons} aria-label={t`People left out`}>
        {of.map(({ user, because }) => (
          <li key={user}>
            <PersonName id={user} /> {REASONS[because]}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
