import { useMe } from '../api/me.ts';
import { type Past, pastQuery } from '../history/past.ts';
import { TextLink } from '../kit/controls/links.tsx';
import { Name } from '../kit/text/name.tsx';

interface Props {
  /** A group or license: its id in Gatehouse, or its slug and its id in the app. */
  of: { name: string; id: string } & ({ external_uuid: string } | { slug: string });
  appId: string;
  /** The time that the page shows. */
  at?: Past;
}

/** The name of a group or license, as a link to its page for roles that can read it. */
export function EntitlementLink({ of, appId, at = {} }: Props) {
  const { readsAll } = useMe();
  const name = <Name of={of.name || of.id} />;
  if (!readsAll) return name;
  const past = pastQuery(at);
  return 'external_uuid' in of ? (
    <TextLink to="/access/$resourceId" params={{ resourceId: of.external_uuid }} search={past}>
      {name}
    </TextLink>
  ) : (
    <TextLink to="/access" search={{ app: appId, slug: of.slug, id: of.id, ...past }}>
      {name}
    </TextLink>
  );
}
