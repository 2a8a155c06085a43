import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { decisionWords } from '../../access/decision-words.ts';
import { base } from '../../api/base.ts';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Copy } from '../../kit/controls/copy.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { IconAlertTriangle, IconDownload, IconPrinter } from '../../kit/icons/icons.ts';
import { Name } from '../../kit/text/name.tsx';
import { zonedTime } from '../../kit/text/words.ts';
import { actionWord } from '../tasks/task.ts';
import { UploadLink } from './awaited-upload.tsx';
import { Chain, type Proof } from './chain.tsx';
import { Facts, WentAlong } from './facts.tsx';
import classes from './proof.module.css';

type Address =
  | '/api/tasks/{task_id}/proof/'
  | '/api/accounts/{account_id}/proof/'
  | '/api/reviews/cycles/{cycle_id}/items/{item_id}/proof/';

/** The proof of what a task takes away. */
export function TaskProofPage() {
  const { taskId } = useParams({ from: '/in/tasks/$taskId/proof' });
  return (
    <ProofPage path="/api/tasks/{task_id}/proof/" ids={{ task_id: taskId }}>
      <TextLink to="/tasks/$taskId" params={{ taskId }}>
        <Trans>Task</Trans>
      </TextLink>
    </ProofPage>
  );
}

/** The proof of the latest removal of an account. */
export function AccountProofPage() {
  const { accountId } = useParams({ from: '/in/accounts/$accountId/proof' });
  return (
    <ProofPage path="/api/accounts/{account_id}/proof/" ids={{ account_id: accountId }}>
      <TextLink to="/accounts/$accountId" params={{ accountId }}>
        <Trans>Account</Trans>
      </TextLink>
    </ProofPage>
  );
}

/** The proof of the revocation of a review item. */
export function ItemProofPage() {
  const { cycleId, itemId } = useParams({ from: '/in/reviews/cycles/$cycleId/items/$itemId/proof' });
  return (
    <ProofPage
      path="/api/reviews/cycles/{cycle_id}/items/{item_id}/proof/"
      ids={{ cycle_id: cycleId, item_id: itemId }}
    >
      <TextLink to="/reviews/cycles/$cycleId" params={{ cycleId }}>
        <Trans>Access review</Trans>
      </TextLink>
    </ProofPage>
  );
}

interface Props {
  path: Address;
  ids: Record<string, string>;
  /** A link to the page that the proof is about. */
  children: ReactNode;
}

const WAITING_MS = 10_000;

function ProofPage({ path, ids, children }: Props) {
  const { data, isError, error, refetch } = useQuery({
    ...get(path, { path: ids as never }),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? WAITING_MS : false),
  });
  if (data === undefined)
    return (
      <>
        <PageHeader title={t`Proof of removal`} above={children} />
        {isError ? <Failure error={error} again={() => void refetch()} /> : <Skeleton height={420} />}
      </>
    );
  const json = Object.entries(ids).reduce<string>((text, [name, id]) => text.replace(`{${name}}`, id), path);
  return (
    <div className={classes.page}>
      <PageHeader
        title={t`Proof of removal`}
        above={children}
        beside={<Status {...OVERALL[data.state]} of={data.state} />}
        about={<Subject of={data} />}
        actions={
          <div className={classes.actions}>
            <Copy value={location.href} what={t`link`} labelled />
            <Button
              variant="default"
              leftSection={<IconPrinter size={16} aria-hidden />}
              onClick={() => window.print()}
            >
              <Trans>Print</Trans>
            </Button>
            <Button
              component="a"
              variant="default"
              href={`${base}${json}`}
              download="proof.json"
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              JSON
            </Button>
          </div>
        }
      />
      <Facts of={data} />
      <CameBack of={data} />
      <Chain of={data} />
      <UploadLink of={data} />
      <Access of={data} />
      <WentAlong of={data} />
      <p className={classes.address}>{location.href}</p>
    </div>
  );
}

const OVERALL = {
  done: { look: 'proven', word: t`Proven` },
  waiting: { look: 'wait', word: t`Not proven yet` },
  failed: { look: 'bad', word: t`Failed` },
  not_needed: { look: 'idle', word: t`Nothing was removed` },
} as const satisfies Record<Proof['state'], object>;

/** "Delete account: ann@acme.example in Payroll" */
function Subject({ of: { action, account, app } }: { of: Proof }) {
  const { readsAll } = useMe();
  const words = <Name of={account.email || account.external_uuid} />;
  const link = readsAll ? (
    <TextLink to="/accounts/$accountId" params={{ accountId: account.external_uuid }}>
      {words}
    </TextLink>
  ) : (
    words
  );
  const name = <Name of={app.name} />;
  const place = (
    <Trans>
      {link} in {name}
    </Trans>
  );
  if (action === null) return place;
  return (
    <>
      {actionWord(action)} · {place}
    </>
  );
}

const nameOf = ({ resource }: Proof['access'][number]) =>
  resource === null ? t`The account` : resource.name || resource.id;

/** Says which access came back after it was seen gone, and by which decision. */
function CameBack({ of: { access } }: { of: Proof }) {
  const back = access.filter(({ seen_again_at }) => seen_again_at !== null);
  if (back.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" mb="md" icon={<IconAlertTriangle aria-hidden />}>
      {back.map((one) => (
        <div key={one.resource?.id ?? ''}>{backWords(one)}</div>
      ))}
    </Alert>
  );
}

function backWords(one: Proof['access'][number]): string {
  const [name, time] = [nameOf(one), zonedTime(new Date(one.seen_again_at ?? ''))];
  if (one.restored_by === null) return t`Came back without a decision: ${name}, ${time}`;
  const decision = decisionWords(one.restored_by);
  return t`Came back: ${name}, ${time}, by a decision (${decision})`;
}

/** The groups and licenses that are taken away, if it is not the account itself. */
function Access({ of: { access } }: { of: Proof }) {
  const held = access.filter(({ resource }) => resource !== null);
  if (held.length === 0) return null;
  return (
    <Section title={t`Groups and licenses`}>
      <Properties
        of={held.map((one) => [
          nameOf(one),
          one.seen_gone_at === null ? t`Not seen gone yet` : goneWords(one.seen_gone_at),
        ])}
      />
    </Section>
  );
}

function goneWords(at: string) {
  const time = zonedTime(new Date(at));
  return t`Seen gone ${time}`;
}
