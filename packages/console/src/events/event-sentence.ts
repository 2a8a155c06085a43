import { plural, t } from '@lingui/core/macro';
import { spaced } from '../kit/text/field-words.ts';
import { grouped } from '../kit/text/words.ts';
import {
  connectorRun,
  counts,
  type EventLike,
  type EventType,
  GATEHOUSE,
  holder,
  methodOf,
  type NameOf,
  type Parts,
  partsOf,
  personOf,
  quoted,
  reviewed,
  roleOf,
  sourced,
  text,
  timeIn,
} from './event-parts.ts';

export type { EventLike, NameOf } from './event-parts.ts';

/** Describes an event in a sentence. Falls back to the name of its type. */
export function eventSentence(event: EventLike, nameOf: NameOf = () => undefined): string {
  const describe = describers[event.event_type];
  if (describe === undefined) return event.event_type;
  // A missing name leaves two spaces, or one at the end.
  return `${describe(partsOf(event, nameOf) as never)
    .replaceAll('  ', ' ')
    .trim()}.`;
}

const because = (payload: { reason: string | null | undefined }) => quoted(payload, 'reason');

/** Returns who started a sync. */
function clientOf(client: { type: string | null; name: string | null } | undefined): string {
  if (client?.type === 'connector') return t`the managed connector`;
  const name = client?.name ?? t`an unknown client`;
  return client?.type === 'person' ? t`${name} (upload)` : name;
}

/** One sentence for each event type, without its final period. Others' reasons and comments follow after a colon. */
const sentences: { [T in EventType]: (parts: Parts<T>) => string } = {
  'session.login.succeeded': ({ person, payload }) => {
    const method = methodOf(payload);
    if (method === undefined) return t`${person} signed in`;
    return payload.second_factor === true
      ? t`${person} signed in with ${method} and a second factor`
      : t`${person} signed in with ${method}`;
  },
  'session.login.failed': ({ payload }) => {
    const identifier = text(payload, 'identifier') ?? t`an unknown person`;
    const method = methodOf(payload);
    const failed =
      method === undefined
        ? t`A sign-in attempt as ${identifier} failed`
        : t`A sign-in attempt as ${identifier} with ${method} failed`;
    return failed + because(payload);
  },
  'session.login.unsolicited': ({ payload }) => {
    const provider = text(payload, 'provider_id') ?? '';
    return payload.reason === 'not_requested'
      ? t`The sign-in provider ${provider} sent a response that nobody requested`
      : t`The sign-in provider ${provider} sent a response to an unknown request`;
  },
  'session.logout': ({ person }) => t`${person} signed out`,
  'session.ip_blocked': ({ payload }) => {
    const ip = text(payload, 'ip') ?? '';
    const failures = payload.failures ?? 0;
    const until = timeIn(payload, 'blocked_until');
    return until === undefined
      ? t`The IP address ${ip} was blocked after ${plural(failures, { one: '# failed sign-in', other: '# failed sign-ins' })}`
      : t`The IP address ${ip} was blocked until ${until} after ${plural(failures, { one: '# failed sign-in', other: '# failed sign-ins' })}`;
  },
  'session.expired': ({ person }) => t`A session of ${person} expired`,
  'warp.login.attempted': ({ app, payload }) =>
    payload.method === 'browser'
      ? t`The connector for ${app} tried to sign in to the app with a browser`
      : t`The connector for ${app} tried to sign in to the app`,
  'warp.login.failed': ({ app, payload }) =>
    t`The connector for ${app} could not sign in to the app` + quoted(payload, 'message'),
  'api_key.created': ({ who, name }) => t`${who} created the API key ${name}`,
  'api_key.revoked': ({ who, name, payload }) => t`${who} revoked the API key ${name}` + because(payload),
  'api_key.used': ({ who, name }) => t`${who} used the API key ${name}`,
  'account.provisioned': ({ account, app, source }) =>
    sourced(t`An account for ${account} was created in ${app}`, source),
  'account.deprovisioned': ({ account, app, source, payload }) =>
    sourced(t`The account of ${account} was removed from ${app}`, source) + because(payload),
  'account.activated': ({ account, app, source }) =>
    sourced(t`The account of ${account} in ${app} became active`, source),
  'account.suspended': ({ account, app, source, payload }) =>
    sourced(t`The account of ${account} in ${app} was suspended`, source) + because(payload),
  'account.unsuspended': ({ account, app, source, payload }) =>
    sourced(t`The account of ${account} in ${app} was reactivated`, source) + because(payload),
  'account.group.added': ({ account, app, source, payload }) => {
    const entitlement = text(payload, 'group_name', 'group_external_id') ?? '';
    const sentence =
      payload.kind === 'license'
        ? t`${account} was assigned the license ${entitlement} in ${app}`
        : t`${account} was added to the group ${entitlement} in ${app}`;
    return sourced(sentence, source) + because(payload);
  },
  'account.group.removed': ({ account, app, source, payload }) => {
    const entitlement = text(payload, 'group_name', 'group_external_id') ?? '';
    const sentence =
      payload.kind === 'license'
        ? t`${account} lost the license ${entitlement} in ${app}`
        : t`${account} was removed from the group ${entitlement} in ${app}`;
    return sourced(sentence, source) + because(payload);
  },
  'ticket.created': ({ who, label }) => t`${who} created request ${label}`,
  'ticket.approved': ({ who, label, payload }) => {
    const sentence =
      payload.override === true
        ? t`${who} approved request ${label}, overriding its approvers`
        : t`${who} approved request ${label}`;
    return sentence + quoted(payload, 'comment');
  },
  'ticket.denied': ({ who, label, payload }) => {
    const sentence =
      payload.override === true
        ? t`${who} denied request ${label}, overriding its approvers`
        : t`${who} denied request ${label}`;
    return sentence + quoted(payload, 'comment', 'reason');
  },
  'app.created': ({ who, app }) => t`${who} added the app ${app}`,
  'app.connected': ({ app, payload }) => t`${app} is connected` + because(payload),
  'app.disconnected': ({ app, payload }) => t`${app} is disconnected` + because(payload),
  'app.sync.started': ({ app }) => t`A sync of ${app} started`,
  'app.sync.completed': (parts) => {
    const { app, payload } = parts;
    const changes = counts(parts);
    if (payload.outcome === 'abandoned')
      return t`A sync of ${app} was abandoned after publishing its records: ${changes}`;
    return payload.baseline === true
      ? t`The first sync of ${app} completed: ${changes}`
      : t`A sync of ${app} completed: ${changes}`;
  },
  'app.sync.failed': ({ app, payload, nameOf }) => {
    if (payload.rejected_by !== undefined) {
      const person = personOf(payload.rejected_by, nameOf) ?? t`an administrator`;
      return t`A sync of ${app} ended without its removals, which ${person} rejected`;
    }
    if (payload.reason === 'discarded')
      return t`A sync of ${app} ended because its spreadsheet was discarded`;
    if (payload.reason === 'superseded') return t`A sync of ${app} ended because a newer one began`;
    return t`A sync of ${app} failed` + quoted(payload, 'message', 'reason');
  },
  'app.sync.paused': ({ app, payload }) => {
    const { accounts = 0, memberships = 0, reason } = payload.held ?? {};
    if (reason === 'no_accounts')
      return t`A sync of ${app} is held for approval because it pushed no account and would take away ${plural(accounts, { one: '# account', other: '# accounts' })}`;
    return t`A sync of ${app} is held for approval because it would take away ${plural(accounts, { one: '# account', other: '# accounts' })} and ${plural(memberships, { one: '# membership', other: '# memberships' })}`;
  },
  'app.sync.superseded': ({ app, payload }) => {
    const syncs = payload.count ?? 0;
    const discarded = clientOf(payload.client);
    const newer = clientOf(payload.superseded_by_client);
    return t`${app} had ${plural(syncs, { one: '# sync', other: '# syncs' })} in a row discarded by newer ones: the last one was started by ${discarded}, the newer one by ${newer}`;
  },
  'app.connection_request.created': ({ payload, who }) => {
    const app = text(payload, 'app_name') ?? '';
    return t`${who} requested the app ${app}` + because(payload);
  },
  'task.created': ({ who, work, payload }) => t`${who} created a task ${work}` + because(payload),
  // An event of an earlier release does not say who.
  'task.dispatched': ({ work, payload }) =>
    payload.api_key_id === null
      ? t`The task ${work} was handed to the people who carry it out`
      : t`A connector picked up the task ${work}`,
  'task.completed': ({ who, work, payload }) =>
    payload.manual === true
      ? t`${who} marked the task ${work} as done` + quoted(payload, 'note')
      : t`The task ${work} was completed`,
  'task.failed': ({ who, work, payload }) => {
    const error = payload.error ? quoted(payload.error, 'message', 'code') : '';
    if (payload.manual === true) return t`${who} refused the task ${work}` + error;
    const sentence = t`The task ${work} failed` + error;
    return payload.will_retry === true ? t`${sentence} (Gatehouse will retry it)` : sentence;
  },
  'task.retried': ({ work, payload }) => {
    const moment = timeIn(payload, 'execute_after');
    return moment === undefined
      ? t`A retry of the task ${work} was scheduled`
      : t`A retry of the task ${work} was scheduled for ${moment}`;
  },
  'task.preempted': ({ work }) => t`The task ${work} was preempted by a task that deletes the account`,
  'task.cancelled': ({ who, work, payload }) => t`${who} canceled the task ${work}` + because(payload),
  'task.dispatch_blocked': ({ work, payload }) => t`The task ${work} is blocked` + because(payload),
  'user.created': ({ who, person, payload }) =>
    payload.identity_type === 'service_account'
      ? t`${who} added ${person} as a service account`
      : t`${who} added ${person}`,
  'user.updated': ({ who, person, changes }) => t`${who} changed ${person}: ${changes}`,
  'user.deactivated': ({ who, person, payload }) => t`${who} deactivated ${person}` + because(payload),
  'user.reactivated': ({ who, person, payload }) => t`${who} reactivated ${person}` + because(payload),
  'user.deleted': ({ who, person, payload }) => t`${who} deleted ${person}` + because(payload),
  'user.identity_type.changed': ({ who, person, payload }) => {
    const from = spaced(text(payload, 'from') ?? t`one type`);
    const to = spaced(text(payload, 'to') ?? t`another`);
    return t`${who} changed ${person} from ${from} to ${to}`;
  },

  'policy.created': ({ who, name }) => t`${who} created the policy ${name}`,
  'policy.updated': ({ who, name, changes }) => t`${who} changed the policy ${name}: ${changes}`,
  'policy.deleted': ({ who, name }) => t`${who} deleted the policy ${name}`,
  'policy.actions_confirmed': ({ who, name, payload }) => {
    const count = payload.count ?? 0;
    return t`${who} confirmed ${plural(count, { one: '# held action', other: '# held actions' })} of the policy ${name}`;
  },
  'policy.actions_discarded': ({ who, name, payload }) => {
    const count = payload.count ?? 0;
    return t`${who} discarded ${plural(count, { one: '# held action', other: '# held actions' })} of the policy ${name}`;
  },
  'policy.access_kept': ({ name, payload }) => {
    const count = payload.count ?? 0;
    return t`The policy ${name} kept ${plural(count, { one: '# group or license', other: '# groups or licenses' })} that something else gives`;
  },
  'policy.held': ({ name, payload }) => {
    const count = payload.count ?? 0;
    return t`The policy ${name} waits for a confirmation of ${plural(count, { one: '# task', other: '# tasks' })}`;
  },
  'policy.undecided': ({ name, payload }) => {
    const count = payload.count ?? 0;
    return t`The condition of the policy ${name} decided nothing about ${plural(count, { one: '# person', other: '# people' })}`;
  },
  'policy.settings_changed': ({ who, changes }) => t`${who} changed the settings of policies: ${changes}`,
  'campaign.created': ({ who, name }) => t`${who} created the campaign ${name}`,
  'campaign.updated': ({ who, name, changes }) => t`${who} changed the campaign ${name}: ${changes}`,
  'campaign.deleted': ({ who, name }) => t`${who} deleted the campaign ${name}`,
  'campaign.started': ({ who, name }) => t`${who} started a review of the campaign ${name}`,
  'campaign.closed': ({ name }) => t`A review of the campaign ${name} was completed`,
  'review.decided': (parts) => {
    const [{ who, payload }, access] = [parts, reviewed(parts)];
    const sentence =
      payload.decision === 'revoke'
        ? t`${who} decided to revoke ${access}`
        : t`${who} decided to keep ${access}`;
    return sentence + quoted(payload, 'comment');
  },
  'review.decision_withdrawn': (parts) => {
    const [{ who }, access] = [parts, reviewed(parts)];
    return t`${who} withdrew the decision on ${access}`;
  },
  'review.reminded': ({ who, name, payload }) => {
    const reviewer = text(payload, 'email') ?? t`a reviewer`;
    return t`${who} reminded ${reviewer} of the review ${name}`;
  },
  'review.reassigned': ({ account, app }) =>
    t`The review of the access of ${account} in ${app} was assigned to another reviewer`,
  'request.step_approved': ({ who, label, payload }) =>
    t`${who} approved a step of request ${label}` + quoted(payload, 'comment'),
  'request.commented': ({ who, label, payload }) =>
    t`${who} commented on request ${label}` + quoted(payload, 'comment'),
  'request.information_requested': ({ who, label, payload }) =>
    t`${who} asked for more information about request ${label}` + quoted(payload, 'comment'),
  'request.information_provided': ({ who, label, payload }) =>
    t`${who} provided information about request ${label}` + quoted(payload, 'comment'),
  'request.reassigned': ({ who, label, payload }) =>
    t`${who} assigned request ${label} to another approver` + because(payload),
  'request.escalated': ({ label }) => t`The request ${label} was escalated after waiting too long`,
  'review.escalated': ({ account, app }) =>
    t`The review of the access of ${account} in ${app} was escalated after waiting too long`,
  'request.canceled': ({ who, label, payload }) => t`${who} withdrew request ${label}` + because(payload),
  'request.expired': ({ label }) => t`The request ${label} expired`,
  'account_link.changed': ({ who, account, app, payload, nameOf }) => {
    if (payload.to === null) return t`${who} unlinked the account of ${account} in ${app}`;
    const person = personOf(payload.to, nameOf) ?? t`a person`;
    return t`${who} linked the account of ${account} in ${app} to ${person}`;
  },
  'account_correlation.changed': ({ who, account, app, payload }) => {
    const record = payload.to ?? '…';
    return payload.from == null
      ? t`${who} recognized the record ${record} as the account of ${account} in ${app}`
      : t`${who} replaced the record of the account of ${account} in ${app} by ${record}`;
  },
  'account_link.dismissed': ({ who, account, app, payload, nameOf }) => {
    const person = personOf(payload.person_id, nameOf) ?? t`a person`;
    return t`${who} marked the account of ${account} in ${app} as not belonging to ${person}`;
  },
  'account_link.restored': ({ who, account, app, payload, nameOf }) => {
    const person = personOf(payload.person_id, nameOf) ?? t`a person`;
    return t`${who} undid the dismissal of ${person} for the account of ${account} in ${app}`;
  },
  'account_owner.changed': ({ who, account, app, changes }) =>
    t`${who} changed the account of ${account} in ${app}: ${changes}`,
  'removal_guard.approved': ({ who, app, payload }) => {
    const { accounts = 0, memberships = 0 } = payload.held ?? {};
    return t`${who} approved the removal of ${plural(accounts, { one: '# account', other: '# accounts' })} and ${plural(memberships, { one: '# membership', other: '# memberships' })} in ${app}`;
  },
  'removal_guard.rejected': ({ who, app, payload }) => {
    const { accounts = 0, memberships = 0 } = payload.held ?? {};
    return t`${who} rejected the removal of ${plural(accounts, { one: '# account', other: '# accounts' })} and ${plural(memberships, { one: '# membership', other: '# memberships' })} in ${app}`;
  },
  'sync.reverted': ({ who, app, payload }) => t`${who} reverted a sync of ${app}` + because(payload),
  'removal_budget.exceeded': ({ app, payload }) => {
    const tasks = payload.tasks ?? 0;
    return t`The daily budget of ${app} holds ${plural(tasks, { one: '# task', other: '# tasks' })} until an administrator confirms them`;
  },
  'removal_budget.confirmed': ({ who, app, payload }) => {
    const tasks = payload.tasks ?? 0;
    return t`${who} confirmed ${plural(tasks, { one: '# held task', other: '# held tasks' })} of ${app}`;
  },
  'removal_budget.rejected': ({ who, app, payload }) => {
    const tasks = payload.tasks ?? 0;
    return t`${who} rejected ${plural(tasks, { one: '# held task', other: '# held tasks' })} of ${app}`;
  },
  'restore.created': ({ who, payload }) => {
    const moment = timeIn(payload, 'as_of') ?? t`an earlier time`;
    const tasks = payload.tasks ?? 0;
    const sentence = t`${who} restored access as of ${moment}, with ${plural(tasks, { one: '# task', other: '# tasks' })}`;
    return sentence + because(payload);
  },
  'app_settings.changed': ({ who, app, changes }) => t`${who} changed the settings of ${app}: ${changes}`,
  'app_settings.archived': ({ who, app }) => t`${who} archived the app ${app}`,
  'resource_type.registered': ({ who, app, name }) =>
    t`${who} registered the resource type ${name} in ${app}`,
  'resource_type.updated': ({ who, app, payload, changes }) => {
    const slug = text(payload, 'slug') ?? '';
    return t`${who} changed the resource type ${slug} in ${app}: ${changes}`;
  },
  'provider.created': ({ who, name }) => t`${who} added the sign-in provider ${name}`,
  'provider.updated': ({ who, name, changes }) => t`${who} changed the sign-in provider ${name}: ${changes}`,
  'provider.deleted': ({ who, name }) => t`${who} removed the sign-in provider ${name}`,
  'password.changed': ({ person, payload }) =>
    payload.method === 'link'
      ? t`${person} set a password with a sign-in link`
      : t`${person} changed their password`,
  'password.link_created': ({ who, person }) => t`${who} created a sign-in link for ${person}`,
  'factor.added': ({ who, person, payload }) =>
    payload.kind === 'passkey'
      ? t`${who} added a passkey of ${person}`
      : t`${who} added the second factor of ${person}`,
  'factor.removed': ({ who, person, payload }) =>
    payload.kind === 'passkey'
      ? t`${who} removed a passkey of ${person}`
      : t`${who} removed the second factor of ${person}`,
  'factor.count_fell': ({ person, name }) =>
    t`${person} used the passkey ${name}, which stopped counting: it moved to a synced keychain, or it was copied`,
  'provider_link.refused': ({ person, name }) =>
    t`Sign-in as ${person} was refused: another account at ${name} is linked`,
  'provider_link.removed': ({ who, person, name }) => t`${who} unlinked ${person} from an account at ${name}`,
  'password.link_requested': ({ who, person }) =>
    t`${who} asked Gatehouse to email a sign-in link to ${person}`,
  'fulfillment.configured': ({ who, app, changes }) =>
    t`${who} changed the manual fulfillment of ${app}: ${changes}`,
  'fulfillment.assigned': ({ work, payload, nameOf }) => {
    const assignee = holder(payload.assignee_id, nameOf);
    return t`The task ${work} was assigned to ${assignee}`;
  },
  'fulfillment.reassigned': ({ who, work, payload, nameOf }) => {
    const assignee = holder(payload.to, nameOf);
    return t`${who} handed the task ${work} to ${assignee}`;
  },
  'fulfillment.attachment_added': ({ who, work, payload }) => {
    const file = text(payload, 'name') ?? t`a file`;
    return t`${who} attached ${file} to the task ${work}`;
  },
  'absence.created': ({ who, person, payload, nameOf }) => {
    const deputy = personOf(payload.deputy_id, nameOf);
    return deputy === undefined
      ? t`${who} set an absence of ${person}`
      : t`${who} set an absence of ${person}, with ${deputy} as the deputy`;
  },
  'absence.updated': ({ who, person, changes }) => t`${who} changed an absence of ${person}: ${changes}`,
  'absence.deleted': ({ who, person }) => t`${who} removed an absence of ${person}`,
  'connector.created': ({ who, app }) => t`${who} added a connector to ${app}`,
  'connector.changed': ({ who, app, changes }) => t`${who} changed the connector of ${app}: ${changes}`,
  'connector.credentials_changed': ({ who, app }) =>
    t`${who} changed the credentials of the connector of ${app}`,
  'connector.paused': ({ who, app }) => t`${who} paused the connector of ${app}`,
  'connector.resumed': ({ who, app }) => t`${who} resumed the connector of ${app}`,
  'connector.deleted': ({ who, app }) => t`${who} removed the connector of ${app}`,
  'connector.run_requested': ({ who, app, payload }) => {
    const run = connectorRun(payload);
    return t`${who} started ${run} of ${app}`;
  },
  'connector.run_cancelled': ({ who, app, payload }) => {
    const run = connectorRun(payload);
    return t`${who} canceled ${run} of ${app}`;
  },
  'webhook.created': ({ who, name }) => t`${who} added the webhook ${name}`,
  'webhook.updated': ({ who, name, changes }) => t`${who} changed the webhook ${name}: ${changes}`,
  'webhook.deleted': ({ who, name }) => t`${who} removed the webhook ${name}`,
  'webhook.secret_rotated': ({ who, name }) => t`${who} rotated the signing secret of the webhook ${name}`,
  'webhook.replayed': ({ who, name }) => t`${who} set the webhook ${name} back to earlier events`,
  'webhook.failing': ({ name, payload }) => t`The webhook ${name} keeps failing` + because(payload),
  'webhook.event_skipped': ({ who, name, payload }) => {
    const type = text(payload, 'skipped_type') ?? '';
    return t`${who} skipped an event ${type} of the webhook ${name}`;
  },
  'webhook.disabled': ({ name, payload }) => t`Gatehouse disabled the webhook ${name}` + because(payload),
  'notification_channel.created': ({ who, name }) => t`${who} added the channel ${name}`,
  'notification_channel.updated': ({ who, name, changes }) =>
    t`${who} changed the channel ${name}: ${changes}`,
  'notification_channel.deleted': ({ who, name }) => t`${who} removed the channel ${name}`,
  'person.released': ({ who, person }) => t`${who} released ${person} from the identity provider`,
  'person.succeeded': ({ person, payload, nameOf }) => {
    const successor = holder(payload.successor_id, nameOf);
    return t`The email of ${person} passed to the new person ${successor}`;
  },
  'person.external_id_changed': ({ person, payload }) => {
    const from = text(payload, 'from') ?? '';
    const to = text(payload, 'to') ?? '';
    return t`${person} came back under the id ${to} instead of ${from} and lost every way to sign in`;
  },
  'scim.attribute_ignored': ({ person, payload }) => {
    const attribute = text(payload, 'attribute') ?? '';
    return (
      t`The ${attribute} that the identity provider sent for ${person} could not be applied` +
      because(payload)
    );
  },
  'scim.ids_forgotten': ({ who, payload }) => {
    const count = payload.count ?? 0;
    return t`${who} forgot the IDs that an identity provider gave to ${plural(count, { one: '# person', other: '# people' })}`;
  },
  'scim.request_refused': ({ payload }) => {
    const method = text(payload, 'method') ?? '';
    const resource = text(payload, 'resource') ?? '';
    return (
      t`A request of the identity provider was refused (${method} ${resource})` + quoted(payload, 'detail')
    );
  },
  'second_person.waived': ({ person, payload }) => {
    if (payload.act === 'task') return t`${person}, the only administrator, gave themselves access by a task`;
    if (payload.act === 'correlation')
      return t`${person}, the only administrator, chose the record of their own account`;
    if (payload.act === 'restore') return t`${person}, the only administrator, restored their own access`;
    return t`A request of ${person}, the only administrator, was approved by somebody whose sign-in they had reset`;
  },
  'person_group.created': ({ who, name }) => t`${who} created the group of people ${name}`,
  'person_group.updated': ({ who, name, changes }) =>
    t`${who} changed the group of people ${name}: ${changes}`,
  'person_group.deleted': ({ who, name }) => t`${who} deleted the group of people ${name}`,
  'person_group.released': ({ who, name }) =>
    t`${who} released the group of people ${name} from the identity provider`,
  'person_group.members_changed': ({ who, name, payload }) => {
    const [added, removed] = [grouped(payload.added ?? 0), grouped(payload.removed ?? 0)];
    return t`${who} changed the members of the group of people ${name}: ${added} added, ${removed} removed`;
  },
  'person_group.role_set': ({ who, name, payload }) => {
    const role = roleOf(payload.to) ?? t`none`;
    return t`${who} set the role that the group of people ${name} gives to ${role}`;
  },
  'role.changed': ({ who, person, payload }) => {
    const [from, to] = [roleOf(payload.from) ?? t`one role`, roleOf(payload.to) ?? t`another`];
    return t`${who} changed the role of ${person} from ${from} to ${to}`;
  },
  'people.change_held': ({ payload }) => {
    const affected = payload.affected ?? 0;
    const of = grouped(payload.of ?? 0);
    const client = payload.client?.name ?? '';
    const group = payload.group?.name;
    if (group !== undefined)
      return t`The group ${group} lost ${plural(affected, { one: '# member', other: '# members' })} of ${of} in an hour, so what follows is held until an administrator decides`;
    if (payload.client?.type === 'import')
      return t`An import by ${client} deactivated ${plural(affected, { one: '# person', other: '# people' })} of ${of}, so what follows is held until an administrator decides`;
    return t`The key ${client} deactivated ${plural(affected, { one: '# person', other: '# people' })} of ${of} in a day, so what follows is held until an administrator decides`;
  },
  'people.change_confirmed': ({ who, payload }) => {
    const affected = payload.affected ?? 0;
    return t`${who} confirmed the held change of ${plural(affected, { one: '# person', other: '# people' })}`;
  },
  'people.change_discarded': ({ who, payload }) => {
    const affected = payload.affected ?? 0;
    return (
      t`${who} discarded the held change of ${plural(affected, { one: '# person', other: '# people' })}` +
      because(payload)
    );
  },
  'person.imported': ({ who, payload }) => {
    const [created, updated] = [grouped(payload.created ?? 0), grouped(payload.updated ?? 0)];
    const unchanged = grouped(payload.unchanged ?? 0);
    return t`${who} imported people: ${created} created, ${updated} updated, ${unchanged} unchanged`;
  },
  'spreadsheet.uploaded': ({ who, app, payload }) => {
    const file = text(payload, 'file_name') ?? '';
    return payload.app_id === null
      ? t`${who} uploaded the spreadsheet ${file} of people`
      : t`${who} uploaded the spreadsheet ${file} of ${app}`;
  },
  'spreadsheet.applied': ({ who, app, payload }) => {
    const file = text(payload, 'file_name') ?? '';
    return payload.app_id === null
      ? t`${who} applied the spreadsheet ${file} of people`
      : t`${who} applied the spreadsheet ${file} of ${app}`;
  },
  'spreadsheet.discarded': ({ who, app, payload }) => {
    const file = text(payload, 'file_name') ?? '';
    return payload.app_id === null
      ? t`${who} discarded the spreadsheet ${file} of people`
      : t`${who} discarded the spreadsheet ${file} of ${app}`;
  },
  'person.merged': ({ who, person, payload }) => {
    const other = text(payload, 'from_email') ?? t`a person`;
    return t`${who} merged ${other} into ${person}`;
  },
  'person.duplicate_dismissed': ({ who, person, payload }) => {
    const other = text(payload, 'other_email') ?? t`another person`;
    return t`${who} marked ${person} and ${other} as different people`;
  },
  'person.duplicate_restored': ({ who, person, payload }) => {
    const other = text(payload, 'other_email') ?? t`another person`;
    return t`${who} listed ${person} and ${other} as possible duplicates again`;
  },
  'key.transferred': ({ who, name, payload, nameOf }) => {
    const person = personOf(payload.to, nameOf) ?? t`another person`;
    return t`${who} transferred the API key ${name} to ${person}`;
  },
  'organization.created': ({ who, name }) => t`${who} created the organization ${name}`,
  'organization.updated': ({ who, changes }) => t`${who} changed the organization: ${changes}`,
  'organization.suspended': ({ who, payload }) => t`${who} suspended the organization` + because(payload),
  'organization.resumed': ({ who }) => t`${who} resumed the organization`,
  'organization.deletion_ordered': ({ who, payload }) => {
    const moment = timeIn(payload, 'deleted_after');
    return moment === undefined
      ? t`${who} ordered the deletion of the organization`
      : t`${who} ordered the deletion of the organization after ${moment}`;
  },
  'organization.deletion_withdrawn': ({ who }) => t`${who} withdrew the deletion of the organization`,
  'secrets.rotated': ({ who }) => t`${who} rotated the encryption keys`,
  'export.created': ({ who, payload }) => {
    const data = spaced(text(payload, 'what') ?? t`data`);
    const format = text(payload, 'format')?.toUpperCase() ?? t`a file`;
    return t`${who} exported ${data} as ${format}`;
  },
  'privileged_call.refused': ({ who, payload }) => {
    const caller = who === GATEHOUSE ? t`A caller` : who;
    const [method, route] = [text(payload, 'method') ?? '', text(payload, 'route') ?? ''];
    return t`${caller} was refused ${method} ${route}` + because(payload);
  },
};

/** The sentences by the type of an event, which may also be one that this console does not know. */
const describers: Readonly<Record<string, ((parts: never) => string) | undefined>> = sentences;
