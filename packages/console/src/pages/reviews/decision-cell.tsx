import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconMessage, IconX } from '@tabler/icons-react';
import { useMe } from '../../api/me.ts';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Status } from '../../parts/status.tsx';
import {
  type Cycle,
  consequence,
  type Decision,
  forWhom,
  type Item,
  itemWords,
  obstacleTo,
  onBehalfOf,
} from './item.ts';
import classes from './reviews.module.css';

interface Props {
  cycle: Cycle;
  item: Item;
  /** Whether this person's role can decide. */
  decides: boolean;
  decide: (item: Item, decision: Decision) => void;
  comment: (item: Item) => void;
}

/** The buttons to decide an item, and its decision so far. Nothing is preselected. */
export function DecisionCell({ cycle, item, decides, decide, comment }: Props) {
  const { me } = useMe();
  const obstacle = obstacleTo(cycle, item, me?.external_uuid ?? '');
  const { decision } = item;
  return (
    <div className={classes.decision} data-decides={decides || undefined}>
      {decides && obstacle === undefined ? (
        <Group gap={6} wrap="nowrap" role="group" aria-label={`Decision on ${itemWords(item)}`}>
          <Button
            variant={decision === 'keep' ? 'filled' : 'default'}
            color="green"
            w={88}
            aria-pressed={decision === 'keep'}
            leftSection={<IconCheck size={14} aria-hidden />}
            onClick={() => decide(item, 'keep')}
          >
            {decision === 'keep' ? 'Kept' : 'Keep'}
          </Button>
          <Button
            variant={decision === 'revoke' ? 'filled' : 'default'}
            color="red"
            w={108}
            aria-pressed={decision === 'revoke'}
            leftSection={<IconX size={14} aria-hidden />}
            onClick={() => decide(item, 'revoke')}
          >
            {decision === 'revoke' ? 'Revoked' : 'Revoke'}
          </Button>
          <Tooltip label="Decide with a comment">
            <ActionIcon
              aria-label={`Decide with a comment: ${itemWords(item)}`}
              onClick={() => comment(item)}
            >
              <IconMessage size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
      ) : (
        <Verdict decision={decision} />
      )}
      <Outcome cycle={cycle} item={item} obstacle={decides ? obstacle : undefined} />
    </div>
  );
}

function Verdict({ decision }: Pick<Item, 'decision'>) {
  if (decision === null) return <Status of="undecided" look="idle" word="Undecided" />;
  return decision === 'keep' ? (
    <Status of="keep" look="good" word="Kept" />
  ) : (
    <Status of="revoke" look="bad" word="Revoked" />
  );
}

/** Who decided, when and why, and what happens next. */
function Outcome({ cycle, item, obstacle }: { cycle: Cycle; item: Item; obstacle: string | undefined }) {
  const { me, readsAll } = useMe();
  const { decision, decided_by, decided_at, comment, earlier, task } = item;
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
        {decided_by === null
          ? 'Nobody decided by the due date,'
          : `By ${decided_by.email}${onBehalfOf(item)},`}{' '}
        <Moment at={decided_at} />
        {earlier.length > 0 &&
          ` (earlier: ${earlier.map((one) => (one.decision === 'keep' ? 'kept' : 'revoked')).join(', ')})`}
      </p>
      {comment !== null && comment !== '' && <p className={classes.comment}>“{comment}”</p>}
      <p>
        {consequence(cycle, item)}{' '}
        {task !== null && readsAll && (
          <TextLink to="/tasks/$taskId" params={{ taskId: task.external_uuid }}>
            Task
          </TextLink>
        )}
      </p>
    </div>
  );
}
