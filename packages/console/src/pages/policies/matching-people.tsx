import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, ok } from '../../api/client.ts';
import { grouped } from '../../kit/text/words.ts';
import { PersonLink } from '../../people/person.tsx';
import { UndecidedPeople } from '../../people/undecided.tsx';
import classes from './condition-builder.module.css';
import { Contradictions } from './contradictions.tsx';
import type { Effect, Trigger } from './policy.ts';

interface Props {
  condition: string;
  trigger: Trigger;
  apps: readonly string[] | undefined;
  /** The complete effects of the policy. */
  effects: Effect[];
  /** The policy that is changed. */
  policyId: string | undefined;
}

const TYPING_MS = 400;

/** How many people the condition matches, and the first of them. Asks the server whenever typing pauses. */
export function MatchingPeople({ condition: typed, trigger, apps, effects, policyId }: Props) {
  const [condition] = useDebouncedValue(typed, TYPING_MS);
  const { data, isError } = useQuery({
    queryKey: ['condition-matches', condition, trigger, apps, effects, policyId],
    queryFn: ({ signal }) => {
      const body = {
        ...{ condition, trigger, effects, policy: policyId ?? null },
        ...(apps === undefined ? {} : { apps: [...apps] }),
      };
      return ok(api.POST('/api/policies/matches/', { body, signal }));
    },
    enabled: condition.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // An invalid condition is marked in its field.
    retry: false,
  });
  const isShown = data !== undefined && !isError && typed.trim() !== '';
  const others = isShown ? data.count - data.people.length : 0;
  return (
    <div className={classes.matches}>
      <p role="status">
        {isShown && (
          <strong>
            <Counted count={grouped(data.count)} of={data.of} more={data.more} />
          </strong>
        )}
      </p>
      {isShown && data.people.length > 0 && (
        <ul aria-label={t`First people who match`}>
          {data.people.map((person) => (
            <li key={person.external_uuid}>
              <PersonLink of={person} />
            </li>
          ))}
          {others > 0 && (
            <li>
              <Plural value={others} one="and # more" other="and # more" />
            </li>
          )}
        </ul>
      )}
      {isShown && <Contradictions of={data.contradicts} />}
      {isShown && <UndecidedPeople of={data.undecided} />}
    </div>
  );
}

function Counted({ count, of, more }: { count: string; of: number; more: boolean }) {
  const total = grouped(of);
  if (more)
    return (
      <Trans>
        Matches {count} of the first {total} people
      </Trans>
    );
  return (
    <Trans>
      Matches {count} of <Plural value={of} one="# person" other="# people" />
    </Trans>
  );
}
