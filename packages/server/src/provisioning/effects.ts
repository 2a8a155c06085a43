import type { NewEvent } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import type { Tx } from '../platform/database/open.ts';
import { createTasks } from './create.ts';
import * as queries from './queries/effects.ts';
import type { Task } from './queries/views.ts';

type Entitlement = Pick<Task['changes'][number], 'entitlement_id' | 'type' | 'slug' | 'id' | 'name'>;

/**
 * What a completed task means for the inventory, at once (D25, D26). Answers its events. `reportedId` is the external
 * system's own id of a created account, where the connector told it (D24).
 */
export async function takeEffect(
  tx: Tx,
  orgId: string,
  task: Task,
  reportedId: string | null,
  cause: Cause,
): Promise<NewEvent[]> {
  const about = { task, actor: cause.actor };
  const added = task.changes.filter((change) => change.added);
  switch (task.action) {
    case 'create_account': {
      const created = await createdAccount(tx, orgId, about, reportedId);
      const granted = await grant(
        tx,
        orgId,
        about,
        added.filter(({ type }) => type === 'group'),
      );
      return [...created, ...granted, ...(await assignLicenses(tx, orgId, task, cause))];
    }
    case 'update_account':
      return [
        ...(await grant(tx, orgId, about, added)),
        ...(await revoke(
          tx,
          orgId,
          about,
          task.changes.filter((change) => !change.added),
        )),
      ];
    case 'suspend_account':
      return statusChange(
        about,
        'account.suspended',
        await queries.setStatus(tx, orgId, task.account_id, 'SUSPENDED'),
      );
    case 'unsuspend_account':
      return statusChange(
        about,
        'account.unsuspended',
        await queries.setStatus(tx, orgId, task.account_id, 'ACTIVE'),
      );
    case 'delete_account': {
      const change = await queries.setDeleted(tx, orgId, task.account_id);
      if (change === undefined) return [];
      const lost = await queries.revokeAll(tx, orgId, task.account_id);
      return [
        accountEvent(about, 'account.deprovisioned', change),
        ...groupEvents(about, 'account.group.removed', lost),
      ];
    }
    case 'reset_password':
      return [];
  }
}

interface About {
  task: Task;
  actor: Cause['actor'];
}

async function createdAccount(
  tx: Tx,
  orgId: string,
  about: About,
  reportedId: string | null,
): Promise<NewEvent[]> {
  const { account_id, external_id } = about.task;
  const wantsId = reportedId !== null && external_id === null;
  const twin = wantsId ? await queries.findTwin(tx, orgId, account_id, reportedId) : undefined;
  const change = await queries.setCreated(
    tx,
    orgId,
    account_id,
    wantsId && twin === undefined ? reportedId : null,
  );
  if (change === undefined || change.from !== 'NEW') return [];
  const provisioned = accountEvent(about, 'account.provisioned', change);
  if (twin?.free !== true) return [provisioned];
  const ended = await queries.absorbTwin(tx, orgId, account_id, twin.id);
  if (ended === undefined) return [provisioned];
  const reason = `It is the account ${account_id}, which a task created.`;
  return [provisioned, accountEvent(about, 'account.deprovisioned', ended, { accountId: twin.id, reason })];
}

/** Licenses asked for with a create follow once it is there (governance.md "Manual actions"). */
async function assignLicenses(tx: Tx, orgId: string, task: Task, cause: Cause): Promise<NewEvent[]> {
  const licenses = task.changes.filter(({ type }) => type === 'license');
  if (licenses.length === 0) return [];
  const { events } = await createTasks(
    tx,
    orgId,
    [
      {
        appId: task.app_id,
        accountId: task.account_id,
        action: 'update_account',
        add: licenses.map(({ entitlement_id }) => entitlement_id),
        taskType: task.task_type,
        createdBy: task.creator?.id ?? null,
        reason: task.reason,
        source: task.source,
      },
    ],
    cause,
  );
  return events;
}

async function grant(tx: Tx, orgId: string, about: About, wanted: Entitlement[]): Promise<NewEvent[]> {
  const fresh = await queries.grant(
    tx,
    orgId,
    about.task.account_id,
    wanted.map(({ entitlement_id }) => entitlement_id),
  );
  return groupEvents(
    about,
    'account.group.added',
    wanted.filter(({ entitlement_id }) => fresh.includes(entitlement_id)),
  );
}

async function revoke(tx: Tx, orgId: string, about: About, wanted: Entitlement[]): Promise<NewEvent[]> {
  const lost = await queries.revoke(
    tx,
    orgId,
    about.task.account_id,
    wanted.map(({ entitlement_id }) => entitlement_id),
  );
  return groupEvents(
    about,
    'account.group.removed',
    wanted.filter(({ entitlement_id }) => lost.includes(entitlement_id)),
  );
}

type AccountEventType = `account.${'provisioned' | 'deprovisioned' | 'suspended' | 'unsuspended'}`;

function statusChange(
  about: About,
  type: AccountEventType,
  change: queries.StatusChange | undefined,
): NewEvent[] {
  return change === undefined || change.from === change.to ? [] : [accountEvent(about, type, change)];
}

const accountPayload = ({ task }: About) => ({
  app_id: task.app_id,
  app_name: task.app_name,
  account_id: task.account_id,
  external_id: task.external_id,
  email: task.email,
  username: task.username,
  user_id: task.user_id,
  task_id: task.id,
});

const envelope = ({ task, actor }: About, accountId = task.account_id) => ({
  actor,
  subject: { type: 'app_user' as const, uuid: accountId },
  source: { type: 'task' as const, uuid: task.id },
});

const accountEvent = (
  about: About,
  type: AccountEventType,
  { from, to }: queries.StatusChange,
  { accountId = about.task.account_id, reason }: { accountId?: string; reason?: string } = {},
): NewEvent => ({
  type,
  ...envelope(about, accountId),
  payload: {
    ...accountPayload(about),
    account_id: accountId,
    status: to,
    previous_status: from,
    ...(reason === undefined ? {} : { reason }),
  },
});

/** Only groups have events of their own (contract 6.3, D27). */
const groupEvents = (
  about: About,
  type: 'account.group.added' | 'account.group.removed',
  entitlements: Entitlement[],
): NewEvent[] =>
  entitlements
    .filter((entitlement) => entitlement.type === 'group')
    .map(({ entitlement_id, slug, id, name }) => ({
      type,
      ...envelope(about),
      payload: {
        ...accountPayload(about),
        resource_type: slug,
        group_id: entitlement_id,
        group_external_id: id,
        group_name: name,
      },
    }));
