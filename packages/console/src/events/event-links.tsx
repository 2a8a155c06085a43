import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { EntitlementLink } from '../access/entitlement-link.tsx';
import type { Item } from '../api/client.ts';
import { TextLink } from '../kit/controls/links.tsx';
import { Name } from '../kit/text/name.tsx';
import { PersonName } from '../people/person.tsx';

type Event = Item<'/api/events/'>;

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** The subject of an event, as a link if the console has a page for it. */
export function SubjectLink({ event: { subject, payload } }: { event: Event }) {
  const { type, uuid } = subject;
  if (type === 'platform_user') {
    return <PersonName id={uuid} />;
  }
  if (type === 'app_user') {
    const name = text(payload.display_name) ?? text(payload.email) ?? text(payload.username) ?? t`Account`;
    return (
      <TextLink to="/accounts/$accountId" params={{ accountId: uuid }}>
        <Name of={name} />
      </TextLink>
    );
  }
  if (type === 'app') {
    return (
      <TextLink to="/apps/$appId" params={{ appId: uuid }}>
        {text(payload.app_name) ?? t`App`}
      </TextLink>
    );
  }
  if (type === 'task') return <TaskLink id={uuid} />;
  if (type === 'ticket') {
    return (
      <TextLink to="/requests/$ticketId" params={{ ticketId: uuid }}>
        {text(payload.label) ?? t`Request`}
      </TextLink>
    );
  }
  return <span>{type === 'system' ? (text(payload.name) ?? t`This organization`) : type}</span>;
}

/** The group or license of an event, as a link. Nothing if it is about none. */
export function AccessLink({ event: { payload } }: { event: Event }) {
  const id = text(payload.group_id);
  const appId = text(payload.app_id);
  if (id === undefined || appId === undefined) return null;
  const named = { name: text(payload.group_name) ?? '', id: text(payload.group_external_id) ?? id };
  return <EntitlementLink of={{ ...named, external_uuid: id }} appId={appId} />;
}

export function TaskLink({ id, children = t`Task` }: { id: string; children?: ReactNode }) {
  return (
    <TextLink to="/tasks/$taskId" params={{ taskId: id }}>
      {children}
    </TextLink>
  );
}
