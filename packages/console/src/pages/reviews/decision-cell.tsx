import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMe } from '../../api/me.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { IconCheck, IconMessage, IconX } from '../../kit/icons/icons.ts';
import { listed } from '../../kit/text/listed.ts';
import { consequence } from './consequence.ts';
import { type Cycle, type Decision, forWhom, giverName, type Item, itemWords, obstacleTo } from './item.ts';
import classes from './reviews.module.css';

interface Props {
  cycle: Cycle;
  item: Item;
  /** Whether this person's role can decide. */
  decides: boolean;
  /** Whether the advice on the item is loaded. Until then, nobody decides. */
  isAdvised: boolean;
  decide: (item: Item, decision: Decision) => void;
  comment: (item: Item) => void;
}

/** The buttons to decide an item, and its decision so far. Nothing is preselected. */
export function DecisionCell({ cycle, item, decides, isAdvised, decide, comment }: Props) {
  const { me } = useMe();
  const obstacle = obstacleTo(cycle, item, me?.external_uuid ?? '');
  const { decision } = item;
  const name = itemWords(item);
  return (
    <div className={classes.decision} data-decides={decides || undefined}>
      {decides && obstacle === undefined ? (
        <>
          <DecisionButtons item={item} isAdvised={isAdvised} decide={(made) => decide(item, made)}>
            <Tooltip label={t`Decide with a comment`}>
              <ActionIcon
                aria-label={t`Decide with a comment: ${name}`}
                disabled={!isAdvised}
                onClick={() => comment(item)}
              >
                <IconMessage size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </DecisionButtons>
          <span className={classes.onPhone}>
            <Verdict decision={decision} />
          </span>
        </>
      ) : (
        <Verdict decision={decision} />
      )}
      <Outcome cycle={cycle} item={item} obstacle={decides ? obstacle : undefined} />
    </div>
  );
}

interface ButtonsProps {
  item: Item;
  isAdvised: boolean;
  decide: (decision: Decision) => void;
  children?: ReactNode;
}

export function DecisionButtons({ item, isAdvised, decide, children }: ButtonsProps) {
  const { decision } = item;
  const name = itemWords(item);
  return (
    <Group gap={6} wrap="nowrap" role="group" aria-label={t`Decision on ${name}`}>
      <Button
        variant={decision === 'keep' ? 'filled' : 'default'}
        color="green"
        w={88}
        aria-pressed={decision === 'keep'}
        disabled={!isAdvised}
        leftSection={<IconCheck size={14} aria-hidden />}
        onClick={() => decide('keep')}
      >
        {decision === 'keep' ? t`Kept` : t`Keep`}
      </Button>
      <Button
        variant={decision === 'revoke' ? 'filled' : 'default'}
        color="red"
        w={108}
        aria-pressed={decision === 'revoke'}
        disabled={!isAdvised}
        leftSection={<IconX size={14} aria-hidden />}
        onClick={() => decide('revoke')}
      >
        {decision === 'revoke' ? t`Revoked` : t`Revoke`}
      </Button>
      {children}
    </Group>
  );
}

function Verdict({ decision }: Pick<Item, 'decision'>) {
  if (decision === null) return <Status of="undecided" look="idle" word={t`Undecided`} />;
  return decision === 'keep' ? (
    <Status of="keep" look="good" word={t`Kept`} />
  ) : (
    <Status of="revoke" look="bad" word={t`Revoked`} />
  );
}

/** The decision with its person, time and reason, and what happens next. */
export function Outcome({
  cycle,
  item,
  obstacle,
}: {
  cycle: Cycle;
  item: Item;
  obstacle: string | undefined;
}) {
  const { me, readsAll } = useMe();
  const { decision, comment, earlier, task, isNew, revoked_at } = item;
  if (isNew) return null;
  if (decision === null) {
    const note = obstacle ?? forWhom(item, me?.external_uuid);
    return note === undefined ? null : (
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    );
  }
  return (
    <div className={classes.told}>
      <p>
        <DecidedBy item={item} />
        {comment !== null && comment !== '' && <span className={classes.comment}> “{comment}”</span>}
      </p>
      {earlier.length > 0 && <p>{earlierWords(earlier)}</p>}
      {revoked_at !== null && <p>{removesWords(giverName(revoked_at))}</p>}
      <p>
        {task !== null && readsAll && (
          <TextLink to="/tasks/$taskId" params={{ taskId: task.external_uuid }}>
            {t`Task`}
          </TextLink>
        )}{' '}
        {decision === 'revoke' && (
          <TextLink
            to="/reviews/cycles/$cycleId/items/$itemId/proof"
            params={{ cycleId: cycle.external_uuid, itemId: item.id }}
          >
            <Trans>Proof</Trans>
          </TextLink>
        )}{' '}
        {/* The page says it about all items that are kept. */}
        {(decision === 'revoke' || cycle.status !== 'in_progress') && consequence(cycle, item)}
      </p>
    </div>
  );
}

const removesWords = (name: string) => t`Removes ${name}, which gives this access.`;

function DecidedBy({ item: { decided_by, decided_at, on_behalf_of } }: { item: Item }) {
  const moment = <Moment at={decided_at} />;
  if (decided_by === null) return <Trans>Nobody decided by the due date, {moment}</Trans>;
  const { email } = decided_by;
  const absent = listed(on_behalf_of.map((one) => one.email));
  if (absent === '')
    return (
      <Trans>
        By {email}, {moment}
      </Trans>
    );
  return (
    <Trans>
      By {email} on behalf of {absent}, {moment}
    </Trans>
  );
}

function earlierWords(earlier: Item['earlier']): string {
  const decisions = listed(
    earlier.map(({ decision }) => (decision === 'keep' ? t`Kept` : t`Revoked`)),
    'unit',
  );
  return t`Earlier decisions: ${decisions}`;
}
