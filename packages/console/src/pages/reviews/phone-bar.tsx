import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconCheck, IconX } from '../../kit/icons/icons.ts';
import { type Decision, type Item, itemName, itemWords, whereWords } from './item.ts';
import classes from './phone-bar.module.css';

interface Props {
  item: Item | undefined;
  /** Whether the item is on the screen. Otherwise, the bar brings it there first. */
  isShown: boolean;
  /** Whether the advice on the item is loaded. */
  isAdvised: boolean;
  show: () => void;
  decide: (item: Item, decision: Decision) => void;
  open: (item: Item) => void;
}

/** Decides one item after the other at the bottom of a phone, within the reach of a thumb. */
export function PhoneBar({ item, isShown, isAdvised, show, decide, open }: Props) {
  if (item === undefined) return null;
  const holder = item.user?.name || item.user?.email || item.account.email || item.account.username;
  const words = itemWords(item);
  return (
    <section className={classes.bar} data-bottom-bar aria-label={t`Decide ${words}`}>
      <button type="button" className={classes.what} onClick={() => open(item)}>
        <strong>{itemName(item)}</strong>
        <span className={classes.where}>
          <span>{holder}</span>
          <span>{whereWords(item)}</span>
        </span>
      </button>
      {isShown ? (
        <div className={classes.buttons}>
          <Button
            size="md"
            color="green"
            variant={item.decision === 'keep' ? 'filled' : 'default'}
            disabled={!isAdvised}
            leftSection={<IconCheck size={16} aria-hidden />}
            onClick={() => decide(item, 'keep')}
          >
            {t`Keep`}
          </Button>
          <Button
            size="md"
            color="red"
            variant={item.decision === 'revoke' ? 'filled' : 'default'}
            disabled={!isAdvised}
            leftSection={<IconX size={16} aria-hidden />}
            onClick={() => decide(item, 'revoke')}
          >
            {t`Revoke`}
          </Button>
        </div>
      ) : (
        <div className={classes.buttons}>
          <Button size="md" variant="default" className={classes.show ?? ''} onClick={show}>
            {t`Show this item`}
          </Button>
        </div>
      )}
    </section>
  );
}
