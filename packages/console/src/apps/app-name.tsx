import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { get } from '../api/client.ts';
import { TextLink } from '../kit/controls/links.tsx';
import { Pending } from '../kit/controls/pending.tsx';
import { Name } from '../kit/text/name.tsx';

/** An app's name, as a link to the app. */
export function AppName({ id }: { id: string }) {
  const { data, isError } = useQuery({
    ...get('/api/apps/{app_id}/', { path: { app_id: id } }),
    staleTime: 60_000,
  });
  if (data === undefined) return isError ? <span>{t`Archived app`}</span> : <Pending />;
  return (
    <TextLink to="/apps/$appId" params={{ appId: id }}>
      <Name of={data.name} />
    </TextLink>
  );
}
