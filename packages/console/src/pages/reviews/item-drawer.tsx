import { plural, t } from '@lingui/core/macro';
import '@mantine/core/styles/Drawer.css';
import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { EntitlementLink } from '../../access/entitlement-link.tsx';
import { ReasonList } from '../../access/reasons.tsx';
import { useMe } from '../../api/me.ts';
import { useBackCloses } from '../../kit/browser/dialog-history.ts';
import { usePageKeys } from '../../kit/browser/keys.ts';
import { Pending } from '../../kit/controls/pending.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { Name } from '../../kit/text/name.tsx';
import { localTime } from '../../kit/text/words.ts';
import { detailRows } from '../accounts/account-details.tsx';
import { DecisionButtons, Outcome } from './decision-cell.tsx';
import { Facts } from './facts.tsx';
import {
  type Cycle,
  type Decision,
  type Item,
  itemName,
  itemWords,
  obstacleTo,
  RISKS,
  rowOf,
} from './item.ts';
import { type ItemContext, peerWords } from './item-context.ts';
import classes from './reviews.module.css';
import { Signs } from './signs.tsx';

interface Props {
  cycle: Cycle;
  item: Item;
  /** The items before and after it on the page. */
  before: Item | undefined;
  after: Item | undefined;
  context: ItemContext | undefined;
  /** Shows another item. */
  go: (item: Item) => void;
  /** Undefined if this person's role cannot decide. */
  decide: ((item: Item, decision: Decision) => void) | undefined;
  close: () => void;
}

/** Everything that is known about an item, for its reviewer, who can decide it here: with the same keys as in the list. */
export function ItemDrawer({ cycle, item, before, after, context, go, decide, close }: Props) {
  useBackCloses(true, close);
  useFocusFollows(item);
  const { me } = useMe();
  const obstacle = obstacleTo(cycle, item, me?.external_uuid ?? '');
  const isDecidable = decide !== undefined && obstacle === undefined && context !== undefined;
  const press = (decision: Decision) => {
    if (isDecidable) decide(item, decision);
  };
  const move = (to: Item | undefined) => {
    if (to !== undefined) go(to);
  };
  usePageKeys(
    {
      y: () => press('keep'),
      n: () => press('revoke'),
      j: () => move(after),
      k: () => move(before),
    },
    'drawer',
  );
  return (
    <Drawer opened onClose={close} position="right" size="md" title={itemWords(item)}>
      <Stack gap="md">
        {decide !== undefined && (
          <div>
            {obstacle === undefined ? (
              <DecisionButtons item={item} isAdvised={isDecidable} decide={press} />
            ) : (
              <Text size="sm" c="dimmed">
                {obstacle}
              </Text>
            )}
            <Group gap="xs" mt="xs" justify="space-between">
              <Button variant="default" disabled={before === undefined} onClick={() => move(before)}>
                {t`Previous item`}
              </Button>
              <Button variant="default" disabled={after === undefined} onClick={() => move(after)}>
                {t`Next item`}
              </Button>
            </Group>
          </div>
        )}
        <Signs context={context} />
        {item.decision !== null && <Outcome cycle={cycle} item={item} obstacle={undefined} />}
        <Text component="div" size="sm">
          <Facts cycle={cycle} item={item} />
        </Text>
        <Entitlement item={item} context={context} />
        {context !== undefined && <More context={context} />}
      </Stack>
    </Drawer>
  );
}

/** Leaves the focus on the row of the item that was shown last: the keys of the list must decide about no other. */
function useFocusFollows(item: Item) {
  const latest = useRef(item);
  latest.current = item;
  useLayoutEffect(() => {
    const opener = document.activeElement;
    // Before the drawer is gone, so that neither its opener nor a dialog that takes its place loses the focus.
    return () => {
      const row = rowOf(latest.current);
      const isOpener = opener instanceof HTMLElement && row?.contains(opener);
      // A long list may not have drawn the row. Then, no row has the focus.
      const target = isOpener ? opener : (row ?? document.querySelector('main'));
      target?.focus();
    };
  }, []);
}

function Entitlement({ item, context }: Pick<Props, 'item' | 'context'>) {
  const { risk, owner_email, account_owner, person, via, hidden_members } = item.context;
  return (
    <Properties
      of={[
        [
          t`Access`,
          item.resource === null ? (
            <Name key="access" of={itemName(item)} />
          ) : (
            <EntitlementLink key="access" appId={item.app.external_uuid} of={item.resource} />
          ),
        ],
        [t`Description`, context?.description ?? undefined],
        [
          t`Through`,
          via === null ? undefined : <EntitlementLink key="via" appId={item.app.external_uuid} of={via} />,
        ],
        [t`App`, <Name key="app" of={item.app.name} />],
        [t`Hidden members`, hidden_members === 0 ? undefined : hiddenWords(hidden_members)],
        [t`Risk`, risk === null ? undefined : RISKS[risk]],
        [t`Owner`, owner_email ?? account_owner?.email],
        ...detailRows(item.context, 'words'),
        [
          item.kind === 'account' || item.context.found ? t`First seen` : t`Granted`,
          context === undefined ? <Pending key="at" /> : localTime(new Date(context.granted.at)),
        ],
        [
          t`Granted by`,
          context === undefined ? (
            <Pending key="by" />
          ) : (
            <ItemReasons key="by" item={item} context={context} />
          ),
        ],
        [t`Title`, person?.title ?? undefined],
        [t`Department`, person?.department ?? undefined],
      ]}
    />
  );
}

function ItemReasons({ item, context: { granted } }: { item: Item; context: ItemContext }) {
  const { at, found, grants } = granted;
  return (
    <ReasonList
      grants={grants.map((grant) => ({ ...grant, decided_by: grant.decided_by?.external_uuid ?? null }))}
      found={found}
      via={item.context.via}
      since={at}
    />
  );
}

const hiddenWords = (count: number) =>
  plural(count, { one: '# member without an item', other: '# members without items' });

function More({ context: { peers, prior } }: { context: ItemContext }) {
  return (
    <>
      <Section title={t`Peers`}>
        {peers.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t`There are too few people with the same manager, department or title to compare with.`}
          </Text>
        ) : (
          <ul className={classes.plain}>
            {peers.map((one) => (
              <li key={one.group}>{peerWords(one)}</li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={t`Earlier decisions`}>
        {prior.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t`Nobody has decided on this access before.`}
          </Text>
        ) : (
          <ul className={classes.plain}>
            {prior.map((one) => (
              <li key={one.cycle_id}>
                <Prior of={one} />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

function Prior({ of: { campaign, decision, decided_by, decided_at } }: { of: ItemContext['prior'][number] }) {
  const moment = localTime(new Date(decided_at));
  const by = decided_by?.email;
  return (
    <>
      {decision === 'keep' ? (
        <Status of="keep" look="good" word={t`Kept`} />
      ) : (
        <Status of="revoke" look="bad" word={t`Revoked`} />
      )}
      <Text size="sm" c="dimmed">
        {by === undefined ? t`${campaign}, ${moment}` : t`${campaign}, by ${by}, ${moment}`}
      </Text>
    </>
  );
}
