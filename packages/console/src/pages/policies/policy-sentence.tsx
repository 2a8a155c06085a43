import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { AppName } from '../../apps/app-name.tsx';
import classes from './policies.module.css';
import { delayPhrase, type Effect, entitlementsOf, offsetPhrase, type Policy, TRIGGERS } from './policy.ts';

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

/** "grant an account with 2 groups and licenses in Payroll" */
function InApp({ of: effect }: { of: Effect }) {
  const app = <AppName id={effect.app} />;
  const count = entitlementsOf(effect).length;
  switch (effect.do) {
    case 'grant':
      if (count === 0) return <Trans>grant an account in {app}</Trans>;
      return (
        <Trans>
          grant an account with{' '}
          <Plural value={count} one="# group or license" other="# groups and licenses" /> in {app}
        </Trans>
      );
    case 'revoke':
      if (count === 0) return <Trans>revoke all groups and licenses in {app}</Trans>;
      return (
        <Trans>
          revoke <Plural value={count} one="# group or license" other="# groups and licenses" /> in {app}
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
