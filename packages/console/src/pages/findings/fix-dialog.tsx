import { plural, t } from '@lingui/core/macro';
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { get } from '../../api/client.ts';
import { type Action, ActionDialog } from '../../kit/action/action-dialog.tsx';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { Unready } from '../../kit/controls/unready.tsx';
import { taskCreated } from '../../tasks/tasks-created.ts';
import { type Account, createTask } from '../accounts/account.ts';
import { taskAction } from '../accounts/account-actions.tsx';
import { OwnerForm } from '../accounts/account-owner.tsx';
import { LinkForm } from '../accounts/linked-person.tsx';
import { HeldRemoval } from '../apps/held-removal.tsx';
import { ReassignTask } from '../by-hand/reassign-task.tsx';
import { HoldDecision } from '../holds/hold-decision.tsx';
import { OffboardDialog } from '../people/offboard-dialog.tsx';
import type { Person } from '../people/person.ts';
import { confirming } from '../policies/confirming.ts';
import { type Finding, findingName, sentenceOf } from './finding.ts';

interface Props {
  of: Finding;
  close: () => void;
}

interface Fix {
  /** The label of the button in a row. */
  label: string;
  dialog: (props: Props) => ReactNode;
}

const suspend: Fix = {
  label: t`Suspend`,
  dialog: (props) => (
    <OfAccount {...props}>
      {(account) => <ActionDialog of={taskAction(account, 'suspend')} close={props.close} />}
    </OfAccount>
  ),
};

/** How findings of a kind are fixed in one step, which the operation of their `action` takes. */
const FIXES: Partial<Record<Finding['kind'], Fix>> = {
  held_sync: { label: t`Decide`, dialog: (props) => <HeldSync {...props} /> },
  held_policy: { label: t`Confirm`, dialog: (props) => <HeldPolicy {...props} /> },
  people_change_held: { label: t`Confirm`, dialog: (props) => <HeldChange {...props} /> },
  task_without_fulfiller: {
    label: t`Reassign`,
    dialog: ({ of: { subject }, close }) => (
      <ReassignTask taskId={subject.external_uuid} close={close} done={close} />
    ),
  },
  orphaned_account: {
    label: t`Link person`,
    dialog: (props) => (
      <OfAccount {...props}>
        {(account) => (
          <Named {...props}>
            <LinkForm account={account} close={props.close} />
          </Named>
        )}
      </OfAccount>
    ),
  },
  unowned_account: {
    label: t`Set owner`,
    dialog: (props) => (
      <OfAccount {...props}>
        {(account) => (
          <Named {...props}>
            <OwnerForm account={account} close={props.close} />
          </Named>
        )}
      </OfAccount>
    ),
  },
  leaver_with_access: {
    label: t`Offboard`,
    dialog: (props) => (
      <OfPerson {...props}>
        {(person) => <OffboardDialog person={person} opened close={props.close} />}
      </OfPerson>
    ),
  },
  dormant_privileged: suspend,
  privileged_without_mfa: suspend,
  lookalike_names: suspend,
  returned_after_revocation: {
    label: t`Remove again`,
    dialog: (props) => (
      <OfAccount {...props}>
        {(account) => <ActionDialog of={removing(account, props.of)} close={props.close} />}
      </OfAccount>
    ),
  },
};

/** Returns the label of the button that fixes a finding. Undefined: it takes more than one step. */
export const fixOf = ({ kind, status, action }: Finding): string | undefined =>
  status === 'resolved' || action === null ? undefined : FIXES[kind]?.label;

/** Shows what fixing a finding does, and does it. */
export const FixDialog = (props: Props) => FIXES[props.of.kind]?.dialog(props);

/** A dialog with the finding, for a form. */
const Named = ({ of, close, children }: Props & { children: ReactNode }) => (
  <Dialog onClose={close} title={findingName(of)}>
    <Text size="sm" mb="sm">
      {sentenceOf(of)}
    </Text>
    {children}
  </Dialog>
);

/** Waits for what a dialog is about. */
function Waiting<T>({
  of,
  close,
  query,
  children,
}: Props & {
  query: { data: T | undefined; isError: boolean; error: unknown; refetch: () => Promise<unknown> };
  children: (found: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  return (
    <Dialog onClose={close} title={findingName(of)}>
      <Unready of={query} height={120} />
    </Dialog>
  );
}

function OfAccount({ of, close, children }: Props & { children: (account: Account) => ReactNode }) {
  const path = { account_id: of.subject.external_uuid };
  const query = useQuery(get('/api/accounts/{account_id}/', { path }));
  return (
    <Waiting of={of} close={close} query={query}>
      {children}
    </Waiting>
  );
}

function OfPerson({ of, close, children }: Props & { children: (person: Person) => ReactNode }) {
  const query = useQuery(get('/api/users/{user_id}/', { path: { user_id: of.subject.external_uuid } }));
  return (
    <Waiting of={of} close={close} query={query}>
      {children}
    </Waiting>
  );
}

function HeldPolicy({ of, close }: Props) {
  const query = useQuery(
    get('/api/policies/{policy_id}/', { path: { policy_id: of.subject.external_uuid } }),
  );
  return (
    <Waiting of={of} close={close} query={query}>
      {(policy) => <ActionDialog of={{ ...confirming(policy) }} close={close} />}
    </Waiting>
  );
}

function HeldChange({ of, close }: Props) {
  const query = useQuery(get('/api/holds/{hold_id}/', { path: { hold_id: of.subject.external_uuid } }));
  return (
    <Waiting of={of} close={close} query={query}>
      {(hold) => <HoldDecision hold={hold} ask="confirm" close={close} />}
    </Waiting>
  );
}

/** The removals of a held sync, with the buttons to approve and to reject them. */
function HeldSync({ of, close }: Props) {
  const path = { app_id: of.subject.external_uuid };
  const app = useQuery(get('/api/apps/{app_id}/', { path }));
  const syncs = useQuery(get('/api/apps/{app_id}/syncs/', { path, query: { limit: 20 } }));
  const held = syncs.data?.results.find((session) => session.held !== undefined);
  return (
    <Waiting of={of} close={close} query={{ ...syncs, data: app.data && syncs.data && { app: app.data } }}>
      {(found) => (
        <Dialog onClose={close} title={findingName(of)} size="xl">
          {held === undefined ? (
            <Group>{t`The sync is no longer held.`}</Group>
          ) : (
            <HeldRemoval app={found.app} session={held} />
          )}
        </Dialog>
      )}
    </Waiting>
  );
}

type Changes = NonNullable<NonNullable<Parameters<typeof createTask>[2]>['changes']>;

/** Takes the groups that are back away again. */
function removing(account: Account, { text: { values } }: Finding): Action<string> {
  const count = Number(values.count);
  const app = account.app.name;
  return {
    title: plural(count, { one: 'Remove # group again?', other: 'Remove # groups again?' }),
    sentence: t`The account loses what it has again, and what comes with it. Gatehouse creates a task for ${app}.`,
    comment: t`Reason`,
    button: t`Remove again`,
    danger: true,
    request: (reason) =>
      createTask(account, 'update_account', {
        changes: values.changes as Changes,
        reason: reason || null,
      }).then(taskCreated),
    message: (sentence: string) => sentence,
  };
}
