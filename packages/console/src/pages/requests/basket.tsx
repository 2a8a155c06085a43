import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import '@mantine/core/styles/ActionIcon.css';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Ref, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { api, ok, retrying } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { useUnsaved } from '../../kit/form/unsaved.ts';
import { IconX } from '../../kit/icons/icons.ts';
import { Name } from '../../kit/text/name.tsx';
import { ApprovalPreview } from './approval-preview.tsx';
import classes from './catalog.module.css';
import { entryName } from './catalog-card.tsx';
import { keepBasket, keptBasket } from './kept-basket.ts';
import {
  bodyOf,
  type Duration,
  type Entry,
  entryKey,
  type Line,
  linesOf,
  newId,
  type Terms,
} from './lines.ts';
import { shortLabel, type Ticket } from './ticket.ts';

const DURATIONS: readonly { value: Duration; label: string }[] = [
  { value: '1', label: t`1 day` },
  { value: '7', label: t`7 days` },
  { value: '30', label: t`30 days` },
  { value: 'permanent', label: t`Permanent` },
  { value: 'date', label: t`Until a date` },
];

type Result = { ticket: Ticket } | { failure: string };

interface Props {
  ref: Ref<HTMLElement>;
  chosen: readonly Entry[];
  remove: (entry: Entry) => void;
  /** Takes entries out of the basket whose request was created. */
  sent: (entries: readonly Entry[]) => void;
  /** The ID of the user who is signed in. */
  me: string;
  people: { user: string; requester: string | null };
  own: boolean;
}

/**
 * The chosen entries, and for how long and why. Sends one request for each app. Those that failed stay, and are sent again
 * with the same IDs: a request that the server has received is not created twice.
 */
export function Basket({ ref, chosen, remove, sent, me, people, own }: Props) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [terms, setTerms] = useState(() => keptBasket(me, people.user).terms);
  useEffect(() => keepBasket(me, people.user, { terms }), [me, people.user, terms]);
  const [created, setCreated] = useState<readonly Ticket[]>([]);
  /** Why requests were not created, by app. */
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map());
  const [sending, setSending] = useState(false);
  const ids = useRef(keptBasket(me, people.user).ids);
  const lines = linesOf(chosen);
  const failed = lines.filter(({ app }) => failures.has(app.external_uuid)).length;
  const saved = useUnsaved(lines.length > 0 && (terms.reason !== '' || failed > 0));
  const set = (change: Partial<Terms>) => setTerms((before) => ({ ...before, ...change }));

  const send = async (line: Line): Promise<Result> => {
    const body = bodyOf(line, people, terms);
    const { start_time: _, end_time: __, ...lasting } = body;
    const content = JSON.stringify([lasting, terms]);
    const id = ids.current[content] ?? newId();
    ids.current = { ...ids.current, [content]: id };
    keepBasket(me, people.user, { ids: ids.current });
    try {
      const create = () => ok(api.POST('/api/tickets/', { body: { ...body, external_uuid: id } }));
      return { ticket: await retrying(create) };
    } catch (error) {
      return { failure: detailOf(error) };
    }
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setSending(true);
    setFailures(new Map());
    const tickets = [...created];
    const reasons = new Map<string, string>();
    for (const line of lines) {
      const result = await send(line);
      if ('ticket' in result) {
        tickets.push(result.ticket);
        setCreated([...tickets]);
        sent(line.entries);
      } else {
        reasons.set(line.app.external_uuid, result.failure);
        setFailures(new Map(reasons));
      }
    }
    setSending(false);
    if (reasons.size > 0) return void client.invalidateQueries();
    saved();
    const [first] = tickets;
    const count = tickets.length;
    notifications.show({
      message: plural(count, { one: 'Request created', other: '# requests created' }),
      color: 'green',
      autoClose: 4000,
    });
    if (count === 1 && first !== undefined)
      await navigate({ to: '/requests/$ticketId', params: { ticketId: first.external_uuid } });
    else await navigate({ to: '/requests', search: { whose: 'asked' } });
    await client.invalidateQueries();
  };

  return (
    <section ref={ref} tabIndex={-1} className={classes.basket} aria-label={t`Your request`}>
      <h2>{t`Your request`}</h2>
      {created.map((ticket) => (
        <Created key={ticket.external_uuid} ticket={ticket} />
      ))}
      {lines.length === 0 && (
        <Text size="sm" c="dimmed">
          {t`Choose what is needed from the catalog. One submission can hold several apps.`}
        </Text>
      )}
      <form onSubmit={(event) => void submit(event)}>
        <ul className={classes.lines} aria-label={t`Chosen access`}>
          {lines.map((line) => (
            <LineOf
              key={line.app.external_uuid}
              line={line}
              failure={failures.get(line.app.external_uuid)}
              remove={sending ? undefined : remove}
            >
              <ApprovalPreview appId={line.app.external_uuid} own={own} {...people} />
            </LineOf>
          ))}
        </ul>
        {lines.length > 0 && (
          <Stack gap="sm">
            <Radio.Group
              label={t`Duration`}
              value={terms.duration}
              onChange={(duration) => set({ duration: duration as Duration })}
            >
              <div className={classes.durations}>
                {DURATIONS.map(({ value, label }) => (
                  <Radio key={value} value={value} label={label} />
                ))}
              </div>
            </Radio.Group>
            {terms.duration === 'date' && (
              <TextInput
                type="date"
                label={t`End date`}
                description={t`The last day of access.`}
                value={terms.end}
                min={terms.start || new Date().toLocaleDateString('sv')}
                onChange={({ currentTarget }) => set({ end: currentTarget.value })}
                required
              />
            )}
            <TextInput
              type="date"
              label={t`Start date`}
              description={t`Leave empty to start on approval.`}
              value={terms.start}
              min={new Date().toLocaleDateString('sv')}
              onChange={({ currentTarget }) => set({ start: currentTarget.value })}
            />
            <Textarea
              label={t`Reason`}
              description={t`The approvers can read it.`}
              value={terms.reason}
              onChange={({ currentTarget }) => set({ reason: currentTarget.value })}
              required
              maxLength={2000}
              rows={3}
            />
            <div role="status">
              {failed > 0 && !sending && (
                <Text size="sm">
                  <Plural
                    value={failed}
                    one="# request was not created."
                    other="# requests were not created."
                  />{' '}
                  {t`Sending again does not repeat the others.`}
                </Text>
              )}
            </div>
            <Button type="submit" loading={sending}>
              {failed > 0 ? t`Send again` : t`Request access`}
            </Button>
          </Stack>
        )}
      </form>
    </section>
  );
}

interface LineProps {
  line: Line;
  /** Why its request was not created. */
  failure: string | undefined;
  /** Undefined while requests are sent. */
  remove: ((entry: Entry) => void) | undefined;
  children: React.ReactNode;
}

function LineOf({ line: { app, entries, isNew }, failure, remove, children }: LineProps) {
  const appName = app.name;
  const hasAccount = entries.some(({ kind }) => kind === 'account');
  return (
    <li>
      <strong>
        <Name of={appName} />
      </strong>
      <ul className={classes.entries}>
        {entries.map((entry) => {
          const name = entryName(entry);
          return (
            <li key={entryKey(entry)}>
              <span>
                <Name of={name} />
              </span>
              {remove !== undefined && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t`Remove ${name} in ${appName}`}
                  onClick={() => remove(entry)}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              )}
            </li>
          );
        })}
      </ul>
      {isNew && !hasAccount && (
        <p className={classes.small}>{t`The request includes a new account in the app.`}</p>
      )}
      {failure === undefined ? (
        children
      ) : (
        <div role="alert">
          <Status of="failed" word={t`Not created`} />
          <p>{failure}</p>
        </div>
      )}
    </li>
  );
}

function Created({ ticket }: { ticket: Ticket }) {
  const link = (
    <TextLink to="/requests/$ticketId" params={{ ticketId: ticket.external_uuid }} underline="always">
      {shortLabel(ticket)}
    </TextLink>
  );
  return (
    <p>
      <Trans>{link} was created.</Trans>
    </p>
  );
}
