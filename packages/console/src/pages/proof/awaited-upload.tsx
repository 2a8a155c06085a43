import { t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { serverText } from '../../language/server-text.ts';
import { openLink, type Proof } from './chain.tsx';

const EVERY_MS = 15_000;

/** The link of a proof that waits for an upload and for nothing before it. */
function awaitedIn({ links }: Proof) {
  const link = openLink(links);
  return link?.code === 'removal_waits_for_upload' ? link : undefined;
}

/** Leads to the upload that a proof waits for. */
export function UploadLink({ of: proof }: { of: Proof }) {
  const { manages } = useMe();
  if (!manages || awaitedIn(proof) === undefined) return null;
  return (
    <TextLink to="/apps/$appId/upload" params={{ appId: proof.app.external_uuid }} underline="always">
      {t`Upload a spreadsheet`}
    </TextLink>
  );
}

/** Says that the removal of an account is done, and that an upload has to show it. */
export function AwaitedUpload({ accountId }: { accountId: string }) {
  const { data } = useQuery({
    ...get('/api/accounts/{account_id}/proof/', { path: { account_id: accountId } }),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? EVERY_MS : false),
  });
  const link = data && awaitedIn(data);
  if (data === undefined || link === undefined) return null;
  return (
    <Alert mb="md" variant="light">
      {serverText({ ...link, text: link.label })} <UploadLink of={data} />
    </Alert>
  );
}
