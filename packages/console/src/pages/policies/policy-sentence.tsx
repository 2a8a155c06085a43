import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Fragment } from 'react';
import { keyOf } from '../../access/chosen.ts';
import { EntitlementLink } from '../../access/entitlement-link.tsx';
import { useEntitlementNames } from '../../access/entitlement-names.ts';
import { AppName } from '../../apps/app-name.tsx';
import { Pending } from '../../kit/controls/pending.tsx';
import classes from './policies.module.css';
import { chosenIn, delayPhrase, type Effect, offsetPhrase, type Policy, TRIGGERS } from './policy.ts';

/** A policy's effects as the end of a sentence. */
export function Effects({ of: effects }: { of: readonly Effect[] }) {
  return (
    <span className={classes.effects}>
      {effects.map((effect, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: effects have no identity, and their order is fixed.
        <span key={index}>
          {index > 0 && '; '}
          {effect.app === 'all' ? <Everywhere of={effect} /> : <InApp of={effect} />}
        </span>
      ))}
    </span>
  );
}

const MOST_NAMES = 5;

/** "Approver, Viewer and 2 more", each as a link to its page. */
function Named({ of: effect }: { of: Effect }) {
  const names = useEntitlementNames(effect.app);
  const chosen = chosenIn(effect);
  const more = chosen.length - MOST_NAMES;
  return (
    <>
      {chosen.slice(0, MOST_NAMES).map((one, index) => (
        <Fragment key={keyOf(one)}>
          {index > 0 && ', '}
          {names === undefined ? (
            <Pending />
          ) : (
            <EntitlementLink of={{ ...one, name: names.get(keyOf(one)) ?? one.name }} appId={effect.app} />
          )}
        </Fragment>
      ))}
      {more > 0 && (
        <>
          {' '}
          <Plural value={more} one="and # more" other="and # more" />
        </>
      )}
    </>
  );
}

/** "grant an account with Approver, Viewer in Payroll" */
function InApp({ of: effect }: { of: Effect }) {
  const app = <AppName id={effect.app} />;
  const isNamed = chosenIn(effect).length > 0;
  const named = <Named of={effect} />;
  switch (effect.do) {
    case 'grant':
      if (!isNamed) return <Trans>grant an account in {app}</Trans>;
      return (
        <Trans>
          grant an account with {named} in {app}
        </Trans>
      );
    case 'revoke':
      if (!isNamed) return <Trans>revoke all groups and licenses in {app}</Trans>;
      return (
        <Trans>
          revoke {named} in {app}
        </Trans>
      );
    case 'suspend':
      return <Trans>suspend the account in {app}</Trans>;
    case 'unsuspend':
      return <Trans>unsuspend the account in {app}</Trans>;
    case 'delete':
      return <Trans>delete the account in {app}</Trans>;
  }
}

/** "suspend the account in all apps". Such an effect names no groups and licenses. */
function Everywhere({ of: effect }: { of: Effect }) {
  switch (effect.do) {
    case 'grant':
      return t`grant an account in all apps`;
    case 'revoke':
      return t`revoke all groups and licenses in all apps`;
    case 'suspend':
      return t`suspend the account in all apps`;
    case 'unsuspend':
      return t`unsuspend the account in all apps`;
    case 'delete':
      return t`delete the account in all apps`;
  }
}

/** The effects, and the delay if there is one. */
export function DelayedEffects({ effects, delay }: Pick<Policy, 'effects' | 'delay'>) {
  if (delay === null) return <Effects of={effects} />;
  const phrase = delayPhrase(delay);
  return (
    <span>
      <Effects of={effects} />, {phrase}
    </span>
  );
}

type Spec = Pick<Policy, 'trigger' | 'offset_days' | 'condition' | 'effects' | 'delay'>;

/** "When a person is deactivated and the condition matches: suspend the account in all apps, after 30 days." */
export function PolicySentence({ of: { trigger, offset_days, condition, effects, delay } }: { of: Spec }) {
  const matchesAll = condition.trim() === 'true' || condition.trim() === '';
  const { always, filtered } = TRIGGERS[trigger];
  const days = offsetPhrase(offset_days);
  return (
    <p className={classes.sentence}>
      {matchesAll ? always : filtered} {days !== undefined && `${days}, `}
      <DelayedEffects effects={effects} delay={delay} />.
    </p>
  );
}
