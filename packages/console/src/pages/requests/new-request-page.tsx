import { t } from '@lingui/core/macro';
import { Button, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.ts';
import { type Me, useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { IconAppWindow } from '../../kit/icons/icons.ts';
import { personName } from '../../kit/text/words.ts';
import { PersonPicker } from '../../people/person.tsx';
import { RequestApp } from '../apps/request-app.tsx';
import classes from './catalog.module.css';
import { Catalog } from './catalog.tsx';
import { ExtensionForm } from './extension-form.tsx';
import { newRequestSearch } from './search.ts';

/** The catalog of what can be requested, or the form for more time. */
export function NewRequestPage() {
  const { me, role } = useMe();
  const [at, go] = useAddress(newRequestSearch);
  return (
    <>
      <PageHeader
        title={t`New request`}
        above={<TextLink to="/requests">{t`Requests`}</TextLink>}
        actions={
          role !== 'auditor' && (
            <Button
              variant="default"
              leftSection={<IconAppWindow size={15} aria-hidden />}
              onClick={() => go({ connect: true, page: at.page })}
            >
              {t`Request missing app`}
            </Button>
          )
        }
      />
      {role === 'auditor' && <Empty title={t`Auditors cannot request access`} />}
      {role !== 'auditor' && me !== undefined && <Request me={me} />}
      <RequestApp opened={at.connect === true} close={() => go({ connect: undefined, page: at.page })} />
    </>
  );
}

/** The beneficiary is part of the address. Choosing another person starts a new request. */
function Request({ me }: { me: Me }) {
  const [at, go] = useAddress(newRequestSearch);
  const { manages } = useMe();
  const [named, setRequester] = useState<string | null>(null);
  const user = at.user ?? me.external_uuid;
  const own = user === me.external_uuid;
  const requester = manages && !own ? (named ?? user) : null;
  const choose = (next: string | null) =>
    go({ user: next === me.external_uuid ? undefined : (next ?? undefined) });
  const props = { user, requester, own };
  return (
    <>
      <Stack gap="md" className={classes.people ?? ''}>
        {manages && (
          <PersonPicker
            label={t`Beneficiary`}
            description={t`The person who needs access.`}
            value={user}
            set={choose}
            required
          />
        )}
        {!manages && me.has_reports && <ReportPicker me={me} value={user} set={choose} />}
        {manages && !own && (
          <PersonPicker
            label={t`Requester`}
            description={t`The person who makes the request. Nobody can approve their own request.`}
            value={named ?? user}
            set={setRequester}
            required
          />
        )}
      </Stack>
      {at.type === 'extend' && at.app !== undefined ? (
        <ExtensionForm key={`${at.app} ${user}`} app={at.app} {...props} />
      ) : (
        <Catalog key={user} me={me.external_uuid} {...props} />
      )}
    </>
  );
}

/** Selects the user or one of the people who report to them. */
function ReportPicker({ me, value, set }: { me: Me; value: string; set: (value: string | null) => void }) {
  const team = useQuery(get('/api/my-team/', { query: { limit: 200 } })).data?.results ?? [];
  const active = team.filter(({ status }) => status === 'active');
  const name = personName(me);
  return (
    <Select
      label={t`Beneficiary`}
      description={t`The person who needs access.`}
      data={[
        { value: me.external_uuid, label: t`${name} (you)` },
        ...active.map((person) => ({ value: person.external_uuid, label: personName(person) })),
      ]}
      value={value}
      onChange={set}
      allowDeselect={false}
      searchable
      required
    />
  );
}
