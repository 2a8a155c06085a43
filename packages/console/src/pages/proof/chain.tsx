import { t } from '@lingui/core/macro';
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { decisionWords } from '../../access/decision-words.ts';
import { base } from '../../api/base.ts';
import type { Answer } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { linkTo } from '../../kit/browser/address.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { Name } from '../../kit/text/name.tsx';
import { localTime, zonedTime } from '../../kit/text/words.ts';
import { serverText } from '../../language/server-text.ts';
import classes from './proof.module.css';

export type Proof = Answer<'/api/tasks/{task_id}/proof/'>;
type Link = Proof['links'][number];

const STEPS = {
  decided: t`Decided`,
  ordered: t`Ordered`,
  done: t({ message: 'Done', context: 'a link of a proof' }),
  seen_gone: t`Seen gone`,
} satisfies Record<Link['step'], string>;

export const STATES = {
  done: { look: 'proven', word: t({ message: 'Done', context: 'a link of a proof' }) },
  waiting: { look: 'wait', word: t`Not yet` },
  failed: { look: 'bad', word: t`Failed` },
  not_needed: { look: 'idle', word: t`Not needed` },
} as const satisfies Record<Link['state'], object>;

const OPEN = {
  decided: t`Open decision`,
  ordered: t`Open task`,
  done: t`Open task`,
  seen_gone: t`Open sync`,
} satisfies Record<Link['step'], string>;

/** The first link that is not done. */
export const openLink = (links: readonly Link[]): Link | undefined =>
  links.find(({ state }) => state === 'waiting' || state === 'failed');

/** The links of a proof, from the decision to the sync that showed the access gone. */
export function Chain({ of: { links, task } }: { of: Proof }) {
  return (
    <ol className={classes.chain} aria-label={t`From the decision to the proof`}>
      {links.map((link) => (
        <li key={link.step} data-state={link.state}>
          <div className={classes.head}>
            <Title order={2} size="h4">
              {STEPS[link.step]}
            </Title>
            <Status {...STATES[link.state]} of={link.state} />
          </div>
          <p className={classes.label}>
            {serverText({ ...link, text: link.label })} {expectedWords(link)}
          </p>
          <Properties of={rowsOf(link, task)} />
        </li>
      ))}
    </ol>
  );
}

/** "Next sync: Nov 21, 2026, 2:00 AM", "Due since Nov 20, 2026, 2:00 AM" */
export function expectedWords(
  { step, expected_at }: Pick<Link, 'step' | 'expected_at'>,
  now = Date.now(),
): string {
  if (expected_at === null) return '';
  const time = localTime(new Date(expected_at));
  if (Date.parse(expected_at) <= now) return t`Due since ${time}`;
  if (step === 'seen_gone') return t`Next sync: ${time}`;
  return step === 'done' ? t`Due: ${time}` : t`Starts: ${time}`;
}

function rowsOf(link: Link, task: string | null): (readonly [string, ReactNode])[] {
  const { step, at, by, decision, reason, reason_code, reason_values, note, files, confirmation } = link;
  const why = reason && serverText({ code: reason_code, values: reason_values, text: reason });
  return [
    [
      t`Time`,
      at === null ? undefined : (
        <time key="at" dateTime={at}>
          {zonedTime(new Date(at))}
        </time>
      ),
    ],
    [t`Person`, by === null ? undefined : <Person key="by" of={by} />],
    [t`Source`, decision === null ? undefined : <Name key="decision" of={decisionWords(decision)} />],
    [t`Reason`, why === null || why === '' ? undefined : <Name key="why" of={why} />],
    [
      t`Confirmed`,
      step === 'done' && confirmation === 'read' ? t`Yes, the connector read the account back` : undefined,
    ],
    [t`Note`, note === null || note === '' ? undefined : <Name key="note" of={note} />],
    [
      t`Attachments`,
      files.length === 0 || task === null ? undefined : <Files key="files" of={files} task={task} />,
    ],
    [
      t`Page`,
      link.href === null ? undefined : (
        <TextLink key="href" {...linkTo(link.href)}>
          {OPEN[step]}
        </TextLink>
      ),
    ],
    [t`Events`, link.event_ids.length === 0 ? undefined : <Events key="events" of={link.event_ids} />],
  ];
}

function Person({ of: { external_uuid: userId, email } }: { of: NonNullable<Link['by']> }) {
  const { readsAll } = useMe();
  if (!readsAll) return <Name of={email} />;
  return (
    <TextLink to="/people/$userId" params={{ userId }}>
      <Name of={email || userId} />
    </TextLink>
  );
}

function Files({ of, task }: { of: Link['files']; task: string }) {
  return (
    <ul className={classes.files}>
      {of.map(({ external_uuid: id, name, sha256 }) => (
        <li key={id}>
          <a href={`${base}/api/fulfillment/tasks/${task}/attachments/${id}/`} download={name}>
            <Name of={name} />
          </a>
          <code>SHA-256 {sha256}</code>
        </li>
      ))}
    </ul>
  );
}

/** The ids stay readable on paper. */
const Events = ({ of }: { of: string[] }) => (
  <ul className={classes.files}>
    {of.map((id) => (
      <li key={id}>
        <code>{id}</code>
      </li>
    ))}
  </ul>
);
