import { AppName } from '../../parts/app-name.tsx';
import classes from './policies.module.css';
import { delayWords, type Effect, effectPhrase, namedIn, type Policy, triggerWord } from './policy.ts';

/** What a policy does, as the end of a sentence. */
export function Effects({ of: effects }: { of: readonly Effect[] }) {
  return (
    <span className={classes.effects}>
      {effects.map((effect, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no names, and stand as they stand.
        <span key={at}>
          {at > 0 && '; '}
          {effectPhrase(effect.do, namedIn(effect).length)} in{' '}
          {effect.app === 'all' ? 'every app' : <AppName id={effect.app} />}
        </span>
      ))}
    </span>
  );
}

type Spec = Pick<Policy, 'trigger' | 'condition' | 'effects' | 'delay'>;

/** The whole policy in a sentence. */
export function PolicySentence({ of: { trigger, condition, effects, delay } }: { of: Spec }) {
  const everybody = condition.trim() === 'true' || condition.trim() === '';
  return (
    <p className={classes.sentence}>
      {trigger === 'daily' ? 'Every day, for everybody' : `When ${lowered(triggerWord(trigger))}`}
      {everybody
        ? ''
        : trigger === 'account.discovered'
          ? ' that the condition fits'
          : ' whom the condition fits'}
      : {delayWords(delay)} <Effects of={effects} />.
    </p>
  );
}

const lowered = (words: string) => words.charAt(0).toLowerCase() + words.slice(1);
