import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Chosen, chosenOf, keyOf } from '../../access/chosen.ts';
import { EntitlementLink } from '../../access/entitlement-link.tsx';
import { useMe } from '../../api/me.ts';
import { Failure } from '../../kit/controls/failure.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { IconCheck, IconPlus } from '../../kit/icons/icons.ts';
import { AmongNames, Name } from '../../kit/text/name.tsx';
import { grouped, personName } from '../../kit/text/words.ts';
import classes from './request.module.css';
import { changeSince, type Ticket } from './ticket.ts';
import { type TicketContext, useTicketContext } from './ticket-context.ts';

/** The requested access next to the person's existing access in the app, and the person's profile. */
export function Context({ ticket }: { ticket: Ticket }) {
  const { context, error, isPending, again } = useTicketContext(ticket);
  const appName = ticket.app.name;
  return (
    <>
      <Section title={t`Access to ${appName}`}>
        {error !== null ? (
          <Failure error={error} again={again} />
        ) : isPending ? (
          <Skeleton height={60} />
        ) : (
          <Access ticket={ticket} context={context} />
        )}
      </Section>
      {context !== undefined && (
        <Section title={t`Person`}>
          <Profile user={context.user} />
        </Section>
      )}
    </>
  );
}

function Access({ ticket, context }: { ticket: Ticket; context: TicketContext | undefined }) {
  const account = context?.account ?? undefined;
  const requested = chosenOf(ticket);
  const held = account === undefined ? [] : chosenOf(account);
  const heldKeys = new Set(held.map(keyOf));
  const requestedKeys = new Set(requested.map(keyOf));
  const teammates = new Map(context?.asked.map((one) => [keyOf(one), one.teammates]));
  const teamSize = context?.user.teammates ?? 0;
  const appName = ticket.app.name;
  return (
    <>
      <AmongNames of={[...requested, ...held].map(({ name, id }) => name || id)}>
        <ul className={classes.access} aria-label={t`Requested and existing access`}>
          {context !== undefined && (
            <li>
              <Mark isNew={account === undefined || account.status === 'NEW'}>
                {t`An account`}
                {context.username !== null && (
                  <>
                    {' '}
                    <strong>
                      <Name of={context.username} />
                    </strong>
                  </>
                )}
              </Mark>
              {account !== undefined && <Status of={account.status} />}
            </li>
          )}
          {requested.map((one) => (
            <li key={keyOf(one)}>
              <Mark requested isNew={!heldKeys.has(keyOf(one))}>
                <ChosenName of={one} appId={ticket.app.external_uuid} /> {changeSince(ticket, one)}
              </Mark>
              {teamSize > 0 && (
                <span className={classes.small}>
                  <Teammates have={teammates.get(keyOf(one)) ?? 0} of={teamSize} />
                </span>
              )}
            </li>
          ))}
          {held
            .filter((one) => !requestedKeys.has(keyOf(one)))
            .map((one) => (
              <li key={keyOf(one)}>
                <Mark>
                  <ChosenName of={one} appId={ticket.app.external_uuid} />
                </Mark>
              </li>
            ))}
        </ul>
      </AmongNames>
      {account !== undefined && (
        <Text size="sm" c="dimmed" mt={4}>
          <Trans>
            Last seen in {appName}: <Moment at={account.last_seen_at} />
          </Trans>
        </Text>
      )}
    </>
  );
}

function Teammates({ have, of }: { have: number; of: number }) {
  const holders = grouped(have);
  const teammates = grouped(of);
  return t`${holders} of ${teammates} people with the same manager have it`;
}

interface MarkProps {
  isNew?: boolean;
  requested?: boolean;
  children: ReactNode;
}

/** An entitlement that the request would add or that already exists. */
function Mark({ isNew = false, requested = false, children }: MarkProps) {
  const Icon = isNew ? IconPlus : IconCheck;
  const label = isNew ? t`requested` : requested ? t`requested, already there` : t`already there`;
  return (
    <span className={classes.mark} data-new={isNew || undefined}>
      <Icon size={15} aria-hidden />
      <span>
        {children} <span className={classes.small}>{label}</span>
      </span>
    </span>
  );
}

function ChosenName({ of, appId }: { of: Chosen; appId: string }) {
  const { type, slug } = of;
  const kind = type === 'license' ? t`license` : t`group`;
  return (
    <>
      <strong>
        <EntitlementLink of={of} appId={appId} />
      </strong>{' '}
      <span className={classes.small}>{slug === type ? kind : `${kind} (${slug})`}</span>
    </>
  );
}

function Profile({ user }: { user: TicketContext['user'] }) {
  return (
    <Properties
      of={[
        [t`Name`, <Person key="name" of={user} />],
        [t`Title`, user.title ?? undefined],
        [t`Department`, user.department ?? undefined],
        [t`Manager`, user.manager === null ? t`Nobody` : <Person key="manager" of={user.manager} />],
        [t`Status`, <Status key="status" of={user.status} />],
      ]}
    />
  );
}

type Named = NonNullable<TicketContext['user']['manager']>;

function Person({ of: person }: { of: Named }) {
  const { readsAll } = useMe();
  if (!readsAll) return <Name of={personName(person)} />;
  return (
    <TextLink to="/people/$userId" params={{ userId: person.external_uuid }}>
      <Name of={personName(person)} />
    </TextLink>
  );
}
