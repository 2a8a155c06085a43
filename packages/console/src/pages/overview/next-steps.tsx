import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useMe } from '../../api/me.ts';
import { overviewQuery } from '../../api/overview.ts';
import { keep, readKept } from '../../kit/browser/kept.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { IconCircleDashed } from '../../kit/icons/icons.ts';
import classes from './overview.module.css';

const keyOf = (person: string) => `gatehouse-next-steps-hidden ${person}`;

/** Leads from the first sync to the first review. A step disappears when it is done, and nothing is read once all are. */
export function NextSteps() {
  const { me } = useMe();
  const key = keyOf(me?.external_uuid ?? '');
  const [isHidden, setHidden] = useState(() => readKept(key) === true);
  const steps = useSteps(!isHidden);
  const isDone = steps?.length === 0;
  useEffect(() => {
    if (isDone) keep(key, true);
  }, [isDone, key]);
  if (isHidden || steps === undefined || isDone) return null;
  const hide = () => {
    keep(key, true);
    setHidden(true);
  };
  return (
    <Section
      title={t`Next steps`}
      actions={
        <Button variant="subtle" color="gray" size="compact-sm" onClick={hide}>
          <Trans>Hide</Trans>
        </Button>
      }
    >
      <ol className={classes.next}>
        {steps.map(([step, why], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps have no state.
          <li key={index}>
            <IconCircleDashed size={18} aria-label={t`To do`} />
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

/** Returns the steps that are not done, each with why. Undefined while they load, and before the first sync. */
function useSteps(enabled: boolean): [step: ReactNode, why: string][] | undefined {
  // The page reads the same.
  const { data } = useQuery({ ...overviewQuery, enabled });
  const app = data?.next_steps.app;
  if (!app) return undefined;
  const { accounts, next_steps: done } = data;
  const { name } = app;
  const steps: [isDone: boolean, step: ReactNode, why: string][] = [
    [
      done.people,
      <TextLink key="people" to="/people/upload">
        <Trans>Import people</Trans>
      </TextLink>,
      t`Gatehouse links each account to the person with the same email.`,
    ],
    [
      accounts.orphans.count === 0,
      <TextLink key="accounts" to="/accounts" search={{ orphaned: true }}>
        <Trans>Link the remaining accounts</Trans>
      </TextLink>,
      t`An account without a person is orphaned: nobody is responsible for it.`,
    ],
    [
      done.app_owner,
      <TextLink
        key="owner"
        to="/apps/$appId"
        params={{ appId: app.external_uuid }}
        search={{ tab: 'settings' }}
      >
        <Trans>Set the owner and approvers of {name}</Trans>
      </TextLink>,
      t`They decide requests for access to the app.`,
    ],
    [
      done.review,
      <TextLink key="review" to="/reviews/new">
        <Trans>Create your first access review</Trans>
      </TextLink>,
      t`Reviewers confirm which access is still needed.`,
    ],
  ];
  return steps.flatMap(([isDone, ...step]) => (isDone ? [] : [step]));
}
