import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { CompareForm } from './compare-form.tsx';
import { Comparison } from './comparison.tsx';
import { compareSearch } from './search.ts';

const DAYS = 30;

/** The difference between the access at two times, in an app or of a person. */
export function ComparePage() {
  const { readsAll } = useMe();
  return (
    <>
      <PageHeader
        title={t`Compare access`}
        about={t`Access that was added, removed or changed between two times.`}
      />
      {readsAll ? (
        <Compare />
      ) : (
        <Empty title={t`Your role does not allow this`}>
          {t`Only administrators and auditors can compare access.`}
        </Empty>
      )}
    </>
  );
}

function Compare() {
  const [address, go] = useAddress(compareSearch);
  const usual = useMemo(lastDays, []);
  const at = { ...address, from: address.from ?? usual.from, to: address.to ?? usual.to };
  const { app, user, slug, resource, from, to } = at;
  return (
    <>
      <CompareForm key={[app, user, slug, resource, from, to].join(' ')} at={at} go={go} />
      {app === undefined && user === undefined ? (
        <Empty title={t`Nothing to compare yet`}>{t`Select an app or a person, and two times.`}</Empty>
      ) : (
        <Comparison at={at} go={go} />
      )}
    </>
  );
}

/** The last 30 days, in whole minutes. */
function lastDays() {
  const to = Math.floor(Date.now() / 60_000) * 60_000;
  return { from: new Date(to - DAYS * 86_400_000).toISOString(), to: new Date(to).toISOString() };
}
