import { PageHeader } from '../../parts/page-header.tsx';

export function RequestsPage() {
  return <PageHeader title="Requests" />;
}
