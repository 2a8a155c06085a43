import { PageHeader } from '../../parts/page-header.tsx';

export function PeoplePage() {
  return <PageHeader title="People" />;
}
