import { plural, t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton } from '../../kit/action/action-button.tsx';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { IconCircleCheck } from '../../kit/icons/icons.ts';
import {
  applyPlan,
  type Chosen,
  NOTHING_CHOSEN,
  type Plan,
  scopeOf,
  showPlan,
  taskCount,
  type Wanted,
} from './plan.ts';
import { RestoreForm } from './restore-form.tsx';
import { RestorePlan } from './restore-plan.tsx';
import type { RestoreSearch } from './search.ts';

/** Asks for the time, shows the plan, and creates its tasks. */
export function Restore({ at, go }: { at: RestoreSearch; go: (change: RestoreSearch) => void }) {
  const [done, setDone] = useState<Plan>();
  // A dry run changes nothing, so nothing on the page is read again.
  const [shown, setShown] = useState<{ plan: Plan; wanted: Wanted }>();
  const dryRun = useMutation({
    mutationFn: showPlan,
    // The last choice counts.
    scope: { id: 'restore' },
    onSuccess: (plan, wanted) => setShown({ plan, wanted }),
  });
  const [chosen, setChosen] = useState(NOTHING_CHOSEN);
  if (done !== undefined) return <Done plan={done} />;
  const show = (as_of: string, possible: boolean) => {
    go({ as_of, possible });
    setChosen(NOTHING_CHOSEN);
    dryRun.mutate({ ...scopeOf(at), as_of, include_possible: possible });
  };
  const forget = () => {
    setShown(undefined);
    dryRun.reset();
  };
  const choose = (next: Chosen) => {
    setChosen(next);
    if (shown === undefined) return;
    const { decisions, items } = next;
    dryRun.mutate({ ...shown.wanted, include_decided: [...decisions], items });
  };
  return (
    <>
      <RestoreForm at={at} show={show} forget={forget} pending={dryRun.isPending} />
      <FormFailure of={dryRun.error} />
      {shown !== undefined && (
        <Section title={t`Plan`}>
          <RestorePlan plan={shown.plan} scope={at} chosen={chosen} choose={choose} />
          {!dryRun.isPending && <Apply plan={shown.plan} wanted={shown.wanted} done={setDone} />}
        </Section>
      )}
    </>
  );
}

/** Asks once more, and creates exactly the tasks of the plan. The server refuses if it would create others now. */
function Apply({ plan, wanted, done }: { plan: Plan; wanted: Wanted; done: (result: Plan) => void }) {
  const count = taskCount(plan);
  const action = plural(count, { one: 'Create # task', other: 'Create # tasks' });
  if (count === 0) return null;
  return (
    <ActionButton
      mt="md"
      label={action}
      of={{
        title: plural(count, { one: 'Create # task?', other: 'Create # tasks?' }),
        sentence: t`Connectors carry them out, and Gatehouse first checks whether each of them is still needed. Until then, you can cancel them.`,
        comment: t`Reason`,
        button: action,
        request: (reason) => applyPlan(wanted, plan, reason === '' ? null : reason),
        after: done,
      }}
    />
  );
}

function Done({ plan }: { plan: Plan }) {
  const [only] = plan.tasks;
  return (
    <Alert
      color="green"
      role="status"
      icon={<IconCircleCheck aria-hidden />}
      title={plural(plan.tasks.length, { one: '# task created', other: '# tasks created' })}
    >
      <p>{t`The access is back as soon as connectors have carried out all of them.`}</p>
      {plan.tasks.length === 1 && only !== undefined ? (
        <ButtonLink variant="default" to="/tasks/$taskId" params={{ taskId: only }}>
          {t`Show the task`}
        </ButtonLink>
      ) : (
        <ButtonLink variant="default" to="/tasks" search={{ source: plan.plan }}>
          {t`Show the tasks`}
        </ButtonLink>
      )}
    </Alert>
  );
}
