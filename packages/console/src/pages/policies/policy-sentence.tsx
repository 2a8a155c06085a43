import { AppName } from '../../parts/app-name.tsx';
import classes from './policies.module.css';
import { delayPhrase, type Effect, effectPhrase, entitlementsOf, type Policy, TRIGGERS } from './policy.ts';

/** A policy's effects as the end of a sentence. */
export function Effects({ of: effects }: { of: readonly Effect[] }) {
  return (
    <span className={classes.effects}>
      {effects.map((effect, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: effects have no identity, and their order is fixed.
        <span key={index}>
          {index > 0 && '; '}
          {effectPhrase(effect.do, entitlementsOf(effect).length)} in{' '}
          {effect.app === 'all' ? 'all apps' : <AppName id={effect.app} />}
        </span>
      ))}
    </span>
  );
}

type Spec = Pick<Policy, 'trigger' | 'condition' | 'effects' | 'delay'>;

/** "When a person is deactivated and the condition matches: suspend the account in all apps, after 30 days." */
export function PolicySentence({ of: { trigger, condition, effects, delay } }: { of: Spec }) {
  const matchesAll = condition.trim() === 'true' || condition.trim() === '';
  const start = trigger === 'daily' ? 'Every day' : `When ${TRIGGERS[trigger].clause}`;
  const filter = trigger === 'daily' ? ', if the condition matches' : ' and the condition matches';
  return (
    <p className={classes.sentence}>
      {start}
      {matchesAll ? '' : filter}: <Effects of={effects} />
      {delay === null ? '' : `, ${delayPhrase(delay)}`}.
    </p>
  );
}
