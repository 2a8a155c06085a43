import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { EntitlementLink } from '../../access/entitlement-link.tsx';
import type { Answer } from '../../api/client.ts';
import { AppLogo } from '../../apps/app-logo.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { IconCheck, IconPlus } from '../../kit/icons/icons.ts';
import { Name } from '../../kit/text/name.tsx';
import { grouped, personName } from '../../kit/text/words.ts';
import classes from './catalog.module.css';
import type { Entry } from './lines.ts';
import { shortLabel } from './ticket.ts';

export type Peers = Answer<'/api/catalog/'>['peers'];

const KINDS = { account: t`Account`, group: t`Group`, license: t`License` } satisfies Record<
  Entry['kind'],
  string
>;

export const entryName = ({ kind, name, id }: Entry) =>
  kind === 'account' ? KINDS.account : name || id || '';

interface Props {
  entry: Entry;
  peers: Peers;
  /** Whether the request is for the user who is signed in. */
  own: boolean;
  chosen: boolean;
  toggle: () => void;
}

/** Something that can be requested. */
export function CatalogCard({ entry, peers, own, chosen, toggle }: Props) {
  const { app, kind, description, owner, risk } = entry;
  const name = entryName(entry);
  const appName = app.name;
  const ownerName = owner === null ? '' : personName(owner);
  const hasPeers = peers !== null && entry.peers !== null;
  const hasFacts = ownerName !== '' || risk !== null || hasPeers || entry.is_full === true;
  return (
    <li className={classes.card} data-chosen={chosen || undefined}>
      <div className={classes.top}>
        <AppLogo name={appName} large />
        <div>
          <h3>
            {entry.external_uuid === null ? (
              <Name of={name} />
            ) : (
              <EntitlementLink
                of={{ name, id: name, external_uuid: entry.external_uuid }}
                appId={app.external_uuid}
              />
            )}
          </h3>
          <p className={classes.small}>{kind === 'account' ? appName : t`${KINDS[kind]} in ${appName}`}</p>
        </div>
      </div>
      {description !== '' && <p className={classes.description}>{description}</p>}
      {hasFacts && (
        <ul className={classes.facts}>
          {ownerName !== '' && <li>{t`Owner: ${ownerName}`}</li>}
          {risk !== null && (
            <li>
              <Risk of={risk} />
            </li>
          )}
          {peers !== null && entry.peers !== null && (
            <li>
              <PeersWithIt have={entry.peers} peers={peers} />
            </li>
          )}
          {entry.is_full === true && (
            <li>
              <Status of="full" look="warn" word={t`No seats left`} />
            </li>
          )}
        </ul>
      )}
      <div className={classes.foot}>
        <Choice entry={entry} own={own} chosen={chosen} toggle={toggle} label={t`${name} in ${appName}`} />
      </div>
    </li>
  );
}

function Choice({ entry, own, chosen, toggle, label }: Omit<Props, 'peers'> & { label: string }) {
  if (entry.held)
    return <Status of="held-already" look="good" word={own ? t`You have this` : t`Has this already`} />;
  if (entry.pending !== null) {
    return (
      <Trans>
        Requested:{' '}
        <TextLink
          to="/requests/$ticketId"
          params={{ ticketId: entry.pending.external_uuid }}
          underline="always"
        >
          {shortLabel(entry.pending)}
        </TextLink>
      </Trans>
    );
  }
  return (
    <Button
      variant={chosen ? 'light' : 'default'}
      size="xs"
      aria-pressed={chosen}
      aria-label={chosen ? t`Chosen: ${label}` : t`Choose ${label}`}
      leftSection={chosen ? <IconCheck size={14} aria-hidden /> : <IconPlus size={14} aria-hidden />}
      onClick={toggle}
    >
      {chosen ? t`Chosen` : t`Choose`}
    </Button>
  );
}

const RISKS = {
  low: ['idle', t`Low risk`],
  medium: ['warn', t`Medium risk`],
  high: ['bad', t`High risk`],
} as const;

function Risk({ of }: { of: keyof typeof RISKS }) {
  const [look, word] = RISKS[of];
  return <Status of={of} look={look} word={word} />;
}

function PeersWithIt({ have, peers }: { have: number; peers: NonNullable<Peers> }) {
  const some = grouped(have);
  const all = grouped(peers.count);
  const { name } = peers;
  return name === null
    ? t`${some} of ${all} people with the same manager have this`
    : t`${some} of ${all} in ${name} have this`;
}
