import { PageHeader } from '../../parts/page-header.tsx';

export function EventsPage() {
  return <PageHeader title="Events" />;
}
