import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import type { components } from '../api/schema.ts';
import { grouped } from '../kit/text/words.ts';
import { PersonLink } from '../people/person.tsx';
import { UndecidedPeople } from '../people/undecided.tsx';
import classes from './condition-builder.module.css';
import type { Owner } from './condition-vocabulary.ts';

type Question = components['schemas']['ConditionQuestion'];
type Matches = components['schemas']['ConditionMatches'];

/** The rest of the question, apart from the condition, and the part of the reply that only the page shows. */
export interface Matching {
  question?: Omit<Question, 'condition' | 'of'> | undefined;
  also?: ((matches: Matches) => ReactNode) | undefined;
}

interface Props extends Matching {
  of: Owner;
  condition: string;
}

const TYPING_MS = 400;

/** How many people the condition matches, and the first of them. Asks the server whenever typing pauses. */
export function MatchingPeople({ of, condition: typed, question, also }: Props) {
  const [condition] = useDebouncedValue(typed, TYPING_MS);
  const { data, isError } = useQuery({
    queryKey: ['condition-matches', of, condition, question],
    queryFn: ({ signal }) =>
      ok(api.POST('/api/policies/matches/', { body: { ...question, condition, of }, signal })),
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
      {isShown && also?.(data)}
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
