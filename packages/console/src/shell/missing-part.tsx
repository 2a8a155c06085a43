import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { dismissReload, reload, useMissingPart } from '../kit/browser/new-version.ts';
import { useHasUnsaved } from '../kit/form/unsaved.ts';
import classes from './missing-part.module.css';

/** Offers to reload because a part of the page is missing. */
export function MissingPart() {
  const why = useMissingPart();
  const isUnsaved = useHasUnsaved();
  if (why === undefined) return null;
  return (
    <div role="alert" className={classes.place}>
      <div className={classes.notice}>
        <p>
          {why === 'new_version'
            ? t`A new version of Gatehouse is available. This part of the page needs it.`
            : t`This part of the page has an error. Reload the page, and tell an administrator if it happens again.`}{' '}
          {isUnsaved && t`Reloading discards your unsaved input, so save it first.`}
        </p>
        <Button variant="default" onClick={dismissReload}>
          {t`Not now`}
        </Button>
        <Button onClick={reload}>{t`Reload page`}</Button>
      </div>
    </div>
  );
}
