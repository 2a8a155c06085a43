import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import type { components } from '../../api/schema.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Name } from '../../kit/text/name.tsx';
import { PersonLink } from '../../people/person.tsx';
import classes from './policies.module.css';

type Contradiction = components['schemas']['PolicyContradiction'];

/** The policies that would undo what this one does, each with the people whom both concern. Nothing if there are none. */
export function Contradictions({ of }: { of: readonly Contradiction[] }) {
  if (of.length === 0) return null;
  return (
    <Alert color="red" my="xs" title={t`Other policies would undo this`}>
      <ul className={classes.others}>
        {of.map((one) => (
          <Undone key={one.policy.external_uuid} of={one} />
        ))}
      </ul>
      {t`Change the condition or the effects of one of them, so that no person is in both.`}
    </Alert>
  );
}

const PolicyLink = ({ of }: { of: Contradiction['policy'] }) => (
  <TextLink to="/policies/$policyId" params={{ policyId: of.external_uuid }}>
    <Name of={of.name} />
  </TextLink>
);

/** The policies with which a policy is held, because they undo each other for the same people. */
export function HeldContradiction({ of, at }: { of: readonly Contradiction['policy'][]; at: string }) {
  return (
    <>
      <Trans>
        This policy and another one have undone for the same people what the other did, twice in seven days.
        They have done nothing for these people since <Moment at={at} />.
      </Trans>
      <ul className={classes.others}>
        {of.map((policy) => (
          <li key={policy.external_uuid}>
            <PolicyLink of={policy} />
          </li>
        ))}
      </ul>
      {t`Confirm one of the policies, change what it does, or disable it.`}
    </>
  );
}

function Undone({ of: { policy, count, people } }: { of: Contradiction }) {
  const others = count - people.length;
  return (
    <li>
      <PolicyLink of={policy} />
      {': '}
      {plural(count, { one: '# person or account', other: '# people or accounts' })}
      {people.map((person) => (
        <span key={person.external_uuid}>
          {' · '}
          <PersonLink of={person} />
        </span>
      ))}
      {others > 0 && people.length > 0 && <> {plural(others, { one: 'and # more', other: 'and # more' })}</>}
    </li>
  );
}
