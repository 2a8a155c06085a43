import { t } from '@lingui/core/macro';
import { Anchor, Button } from '@mantine/core';
import { notifyFailure } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Name } from '../../kit/text/name.tsx';
import { type Item, itemName, whereWords } from './item.ts';
import classes from './reviews.module.css';

/** The heading above all items of a group, a license or the accounts of an app. */
export function AccessHeading({ item }: { item: Item }) {
  const where = whereWords(item);
  return (
    <span className={classes.person}>
      <strong>{item.resource === null ? where : itemName(item)}</strong>
      {item.resource !== null && <span className={classes.about}>{where}</span>}
    </span>
  );
}

interface Props {
  item: Item;
  onPerson: ((userId: string) => void) | undefined;
  /** Asks whether to keep all undecided items of the person. */
  keepAll: ((userId: string) => Promise<void>) | undefined;
}

/** The heading above a person's items. */
export function PersonHeading({ item, onPerson, keepAll }: Props) {
  const { readsAll } = useMe();
  const { user, account, context } = item;
  if (user === null) {
    return (
      <span className={classes.person}>
        <strong>
          <Name of={account.email || account.username || t`Unnamed account`} />
        </strong>
        <span className={classes.warn}>{t`Orphaned account`}</span>
      </span>
    );
  }
  const name = user.name || user.email;
  const about = [context.person?.title, context.person?.department, user.name === '' ? '' : user.email];
  return (
    <span className={classes.person}>
      <strong>
        {readsAll ? (
          <TextLink to="/people/$userId" params={{ userId: user.external_uuid }} inherit>
            <Name of={name} />
          </TextLink>
        ) : (
          name
        )}
      </strong>
      <span className={classes.about}>{about.filter(Boolean).join(' · ')}</span>
      {context.person?.status === 'deactivated' && <span className={classes.warn}>{t`Deactivated`}</span>}
      {onPerson !== undefined && (
        <Anchor component="button" type="button" size="xs" onClick={() => onPerson(user.external_uuid)}>
          {t`Show only ${name}`}
        </Anchor>
      )}
      {keepAll !== undefined && (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={t`Keep all of ${name}`}
          onClick={() => void keepAll(user.external_uuid).catch(notifyFailure)}
        >
          {t`Keep all`}
        </Button>
      )}
    </span>
  );
}
