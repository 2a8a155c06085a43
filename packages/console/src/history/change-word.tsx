import { t } from '@lingui/core/macro';
import type { Item } from '../api/client.ts';
import { IconMinus, IconPencil, IconPlus } from '../kit/icons/icons.ts';
import classes from './change-word.module.css';

type ChangeKind = Item<'/api/history/compare/'>['change'];

const LOOKS = {
  added: [t`Added`, IconPlus],
  removed: [t`Removed`, IconMinus],
  changed: [t`Changed`, IconPencil],
} as const satisfies Record<ChangeKind, unknown>;

export function ChangeWord({ of }: { of: ChangeKind }) {
  const [word, Icon] = LOOKS[of];
  return (
    <span className={classes.change} data-change={of}>
      <Icon size={15} aria-hidden />
      {word}
    </span>
  );
}
