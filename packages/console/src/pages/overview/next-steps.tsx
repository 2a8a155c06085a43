import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { get } from '../../api/client.ts';
import { TextLink } from '../../parts/links.tsx';
import { Section } from '../../parts/section.tsx';
import classes from './overview.module.css';

/** This browser remembers that someone has hidden the steps. */
const HIDDEN = 'gatehouse-next-steps-hidden';

/** Leads from the first sync to the first review. Disappears when all steps are done. */
export function NextSteps() {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) === 'true');
  const options = { enabled: !isHidden, staleTime: 60_000 };
  const [people, linked, apps, reviews] = useQueries({
    queries: [
      { ...get('/api/users/', { query: { limit: 1 } }), ...options },
      { ...get('/api/accounts/', { query: { linked: true, limit: 1 } }), ...options },
      { ...get('/api/apps/', { query: { limit: 200 } }), ...options },
      { ...get('/api/reviews/', { query: { limit: 1 } }), ...options },
    ],
  });
  if (isHidden || !people.data || !linked.data || !apps.data || !reviews.data) return null;
  const synced = apps.data.results.find(({ last_synced_at }) => last_synced_at !== null);
  if (synced === undefined) return null;
  const steps: [isDone: boolean, step: ReactNode, why: string][] = [
    [
      people.data.count > 1,
      <TextLink key="people" to="/people/upload">
        Import people
      </TextLink>,
      'Gatehouse links each account to the person with the same email.',
    ],
    [
      linked.data.count > 0,
      <TextLink key="accounts" to="/accounts" search={{ status: 'ACTIVE', linked: false }}>
        Link the remaining accounts
      </TextLink>,
      'An account without a person is orphaned: nobody answers for it.',
    ],
    [
      apps.data.results.some(({ owner }) => owner !== null),
      <TextLink
        key="owner"
        to="/apps/$appId"
        params={{ appId: synced.external_uuid }}
        search={{ tab: 'settings' }}
      >
        Set the owner and approvers of {synced.name}
      </TextLink>,
      'They decide requests for access to the app.',
    ],
    [
      reviews.data.count > 0,
      <TextLink key="review" to="/reviews" search={{ new: true }}>
        Create your first access review
      </TextLink>,
      'Reviewers confirm which access is still needed.',
    ],
  ];
  if (steps.every(([isDone]) => isDone)) return null;
  const hide = () => {
    localStorage.setItem(HIDDEN, 'true');
    setHidden(true);
  };
  return (
    <Section
      title="Next steps"
      actions={
        <Button variant="subtle" color="gray" size="compact-sm" onClick={hide}>
          Hide
        </Button>
      }
    >
      <ol className={classes.next}>
        {steps.map(([isDone, step, why], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps never change.
          <li key={index} data-done={isDone || undefined}>
            {isDone ? (
              <IconCircleCheck size={18} aria-label="Done" />
            ) : (
              <IconCircleDashed size={18} aria-label="To do" />
            )}
            <span>
              {step}
              <span>{why}</span>
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
