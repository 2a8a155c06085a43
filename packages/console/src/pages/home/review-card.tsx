import { plural, t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from '../../api/me.ts';
import { useWorkReadAt } from '../../api/work.ts';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { Pending } from '../../kit/controls/pending.tsx';
import { IconCheck, IconX } from '../../kit/icons/icons.ts';
import { Name } from '../../kit/text/name.tsx';
import { useDecide } from '../reviews/decide.ts';
import { Facts } from '../reviews/facts.tsx';
import { type Cycle, type Decision, type Item, itemWords, obstacleTo } from '../reviews/item.ts';
import { useContexts } from '../reviews/item-context.ts';
import { needsReason } from '../reviews/pace.ts';
import { Signs } from '../reviews/signs.tsx';
import { Card } from './card.tsx';

interface First {
  cycle: Cycle;
  /** The first undecided item. */
  item: Item;
}

/**
 * The first undecided item of the review that is due first. After the decision it stays until the person asks for the next
 * one: another item under the pointer would be decided by a second click.
 */
export function ReviewCard({ cycle: firstCycle, item: first, left }: First & { left: number }) {
  const [{ cycle, item }, show] = useState<First>({ cycle: firstCycle, item: first });
  const { mutate, isPending } = useDecide(cycle);
  const [decidedAt, setDecidedAt] = useState(0);
  const isFirst = item.id === first.id;
  // Read again after a decision was undone, the item is open.
  const isOpen = useWorkReadAt() > decidedAt && isFirst && !isPending;
  const decide = (decision: Decision) =>
    mutate({ items: [item], decision, comment: null }, { onSuccess: () => setDecidedAt(Date.now()) });
  const params = { cycleId: cycle.external_uuid };
  return (
    <Card
      kind={plural(left, { one: '# review item to decide', other: '# review items to decide' })}
      title={
        <TextLink to="/reviews/cycles/$cycleId" params={params} inherit>
          <Name of={cycle.campaign.name} />
        </TextLink>
      }
      actions={
        <>
          {isOpen && <Decide cycle={cycle} item={item} decide={decide} />}
          {!isFirst && (
            <Button onClick={() => show({ cycle: firstCycle, item: first })}>{t`Show next item`}</Button>
          )}
          <ButtonLink variant="subtle" ml="auto" to="/reviews/cycles/$cycleId" params={params}>
            {t`Open review`}
          </ButtonLink>
        </>
      }
    >
      <Text fw={550} size="sm">
        <Name of={itemWords(item)} />
      </Text>
      {isOpen ? <Advice cycle={cycle} item={item} /> : <p role="status">{t`Decided.`}</p>}
    </Card>
  );
}

function Advice({ cycle, item }: First) {
  const context = useContexts(cycle, [item]).contexts.get(item.id);
  return (
    <>
      <Facts cycle={cycle} item={item} />
      {context === undefined ? <Pending width={160} /> : <Signs context={context} />}
    </>
  );
}

/** Keep and Revoke. Nobody decides before the advice is on the page. */
function Decide({ cycle, item, decide }: First & { decide: (decision: Decision) => void }) {
  const { me } = useMe();
  const navigate = useNavigate();
  const { contexts } = useContexts(cycle, [item]);
  const obstacle = obstacleTo(cycle, item, me?.external_uuid ?? '');
  if (obstacle !== undefined) return <Text size="sm">{obstacle}</Text>;
  const press = (decision: Decision) => () => {
    // The page of the review asks for a reason, or about what gives the access.
    if (needsReason() || (decision === 'revoke' && item.context.via !== null))
      return void navigate({
        to: '/reviews/cycles/$cycleId',
        params: { cycleId: cycle.external_uuid },
      });
    decide(decision);
  };
  const look = { variant: 'default', disabled: !contexts.has(item.id) };
  return (
    <>
      <Button {...look} leftSection={<IconCheck size={15} aria-hidden />} onClick={press('keep')}>
        {t`Keep`}
      </Button>
      <Button {...look} leftSection={<IconX size={15} aria-hidden />} onClick={press('revoke')}>
        {t`Revoke`}
      </Button>
    </>
  );
}
