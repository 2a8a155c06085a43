import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Work } from '../../api/work.ts';
import { lazyPart } from '../../kit/controls/lazy-part.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Section } from '../../kit/controls/section.tsx';
import classes from './home.module.css';

// Only for people with such work.
const options = { fallback: <Skeleton height={176} aria-hidden /> };
const ApprovalCard = lazyPart(async () => (await import('./approval-card.tsx')).ApprovalCard, options);
const ReviewCard = lazyPart(async () => (await import('./review-card.tsx')).ReviewCard, options);
const TaskCard = lazyPart(async () => (await import('./task-card.tsx')).TaskCard, options);

/** "7 approvals, 1 review (in 18 days), 2 tasks", and the first of each, to decide it here. */
export function MyWork({ of: { approvals, reviews, tasks, findings, holds } }: { of: Work }) {
  const decides = approvals.count + reviews.count + tasks.count > 0;
  return (
    <Section title={t`Waiting for you`}>
      {!decides && (
        <Text size="sm" c="dimmed" mb="xs">
          {t`Nothing waits for your decision.`}
        </Text>
      )}
      <ul className={classes.summary}>
        {approvals.count > 0 && (
          <li>
            <TextLink to="/approvals" inherit>
              {plural(approvals.count, { one: '# approval', other: '# approvals' })}
            </TextLink>
          </li>
        )}
        {reviews.first !== null && (
          <li>
            <TextLink to="/reviews" inherit>
              {plural(reviews.count, { one: '# review', other: '# reviews' })}
            </TextLink>
            <Due at={reviews.first.due_at} />
          </li>
        )}
        {tasks.first !== null && (
          <li>
            <TextLink to="/tasks" search={{ whose: 'mine' }} inherit>
              {plural(tasks.count, { one: '# task', other: '# tasks' })}
            </TextLink>
            <Due at={tasks.first.due_at} />
          </li>
        )}
        {findings.count > 0 && (
          <li>
            <TextLink to="/findings" inherit>
              {plural(findings.count, { one: '# finding', other: '# findings' })}
            </TextLink>
            {findings.severe > 0 && (
              <Note danger>
                {plural(findings.severe, { one: '# high or critical', other: '# high or critical' })}
              </Note>
            )}
          </li>
        )}
        {holds.count > 0 && (
          <li>
            <TextLink to="/holds" search={{ status: 'open' }} inherit>
              {plural(holds.count, { one: '# hold', other: '# holds' })}
            </TextLink>
          </li>
        )}
      </ul>
      {decides && (
        <div className={classes.cards}>
          {approvals.first !== null && <ApprovalCard ticket={approvals.first} />}
          {reviews.first !== null && reviews.item !== null && (
            <ReviewCard cycle={reviews.first} item={reviews.item} left={reviews.items} />
          )}
          {tasks.first !== null && <TaskCard of={tasks.first} />}
        </div>
      )}
    </Section>
  );
}

function Note({ danger = false, children }: { danger?: boolean; children: ReactNode }) {
  return (
    <span className={classes.note} data-danger={danger || undefined}>
      {children}
    </span>
  );
}

/** The due date of the first one. */
function Due({ at }: { at: string | null }) {
  if (at === null) return null;
  if (Date.parse(at) < Date.now())
    return (
      <Note danger>
        <Trans>
          overdue, <Moment at={at} />
        </Trans>
      </Note>
    );
  return (
    <Note>
      <Trans>
        due <Moment at={at} />
      </Trans>
    </Note>
  );
}
