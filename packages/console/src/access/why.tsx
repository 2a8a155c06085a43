import { plural, t } from '@lingui/core/macro';
import { Popover, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { type Past, pastQuery } from '../history/past.ts';
import { Name } from '../kit/text/name.tsx';
import { EndingTasks } from './ending-tasks.tsx';
import { type Reasons, reasonWords, untilWords } from './grant-words.ts';
import { type Grant, useGrants } from './grants.ts';
import { ReasonList } from './reasons.tsx';
import { Through } from './through.tsx';
import classes from './why.module.css';

interface Access extends Reasons {
  /** The name of the access. */
  name: string;
  account: string;
  /** The group or license. null: the account itself. */
  held: { slug: string; id: string } | null;
  appId: string;
  /** When Gatehouse first knew of it. */
  since?: string | undefined;
  /** The time that the page shows. */
  at?: Past;
}

interface Props {
  of: Access;
  /** Shown on the button. Default: the first reason, and what else there is. */
  children?: ReactNode;
}

/** Why an account has something: the first reason as a button, which opens all of them. */
export function Why({ of, children }: Props) {
  const [opened, { close, toggle }] = useDisclosure();
  const { name } = of;
  const more = moreWords(of);
  return (
    <Popover
      opened={opened}
      onChange={(open) => {
        if (!open) close();
      }}
      position="bottom-start"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.open}
          aria-label={children === undefined ? undefined : t`Why ${name}`}
          onClick={toggle}
        >
          {children === undefined ? (
            <>
              <VisuallyHidden>{t`Why ${name}:`} </VisuallyHidden>
              <span className={classes.words}>
                <Name of={reasonWords(of)} />
              </span>
              {more !== '' && <span className={classes.small}>{more}</span>}
            </>
          ) : (
            <span className={classes.words}>{children}</span>
          )}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Why ${name}`} className={classes.box ?? ''}>
        <strong>
          <Name of={name} />
        </strong>
        <Through appId={of.appId} via={of.via} />
        <AllReasons of={of} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** "until Dec 3, 2026, 1 more reason" */
function moreWords({ grants, found }: Reasons): string {
  const [first] = grants;
  if (first === undefined) return '';
  const others = grants.length - 1 + (found ? 1 : 0);
  const more = others > 0 ? [plural(others, { one: '# more reason', other: '# more reasons' })] : [];
  return [...(first.ends_at === null ? [] : [untilWords(first.ends_at)]), ...more].join(' · ');
}

function AllReasons({ of: { account, held, at = {}, since, ...reasons } }: { of: Access }) {
  const all = useGrants({ account, ...pastQuery(at) }) ?? [];
  const details = new Map(all.map((grant) => [grant.external_uuid, detailOf(grant)]));
  const isOn = ({ slug, resource }: Grant) =>
    held === null ? resource === null : slug === held.slug && resource === held.id;
  const isPast = at.as_of !== undefined;
  return (
    <>
      <ReasonList
        {...reasons}
        grants={reasons.grants.map((grant) => ({ ...grant, ...details.get(grant.external_uuid) }))}
        others={all
          .filter((grant) => grant.of_another_person && isOn(grant))
          .map((grant) => ({ ...grant, ...grant.source, ...detailOf(grant), former: grant.for_user }))}
        since={since}
        isPast={isPast}
      />
      {!isPast && <EndingTasks account={account} held={held} />}
    </>
  );
}

const detailOf = ({ external_uuid, starts_at, decided_by, source }: Grant) => ({
  external_uuid,
  starts_at,
  decided_by,
  source: source.external_uuid,
});
