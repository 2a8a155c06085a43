import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { useMe } from '../api/me.ts';
import { ButtonLink } from '../kit/controls/links.tsx';
import { AsOf } from './as-of.tsx';
import { CameAndWent } from './came-and-went.tsx';
import type { Past, Subject } from './past.ts';
import classes from './past-controls.module.css';
import { TimeBand } from './time-band.tsx';

interface Props {
  of: Subject;
  at: Past;
  go: (change: Past) => void;
  /** Further controls, at the start. */
  children?: ReactNode;
}

/** Selects the time that a page shows: a day on the band, or an exact time. Compares two times. */
export function PastControls({ of, at, go, children }: Props) {
  const { readsAll } = useMe();
  const { versus } = at;
  return (
    <>
      <div className={classes.controls}>
        <TimeBand of={of} at={at} go={go} />
        <div className={classes.buttons}>
          {children}
          {readsAll && of.account === undefined && (
            <ButtonLink variant="default" to="/history/compare" search={{ ...of, from: at.as_of }}>
              {t`Compare`}
            </ButtonLink>
          )}
          <AsOf at={at} go={go} />
        </div>
      </div>
      {versus !== undefined && readsAll && <CameAndWent of={of} at={{ ...at, versus }} />}
    </>
  );
}
