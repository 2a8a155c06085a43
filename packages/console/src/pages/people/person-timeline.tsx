import { AccessTimeline } from '../../history/access-timeline.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import type { Person } from './person.ts';
import { personSearch } from './search.ts';

/** A person's access in all apps over time. */
export function PersonTimeline({ person }: { person: Person }) {
  const [at, go] = useAddress(personSearch);
  return <AccessTimeline filter={{ user: person.external_uuid }} at={at} go={go} />;
}
