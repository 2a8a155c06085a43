import { PageHeader } from '../../parts/page-header.tsx';

export function RequestPage() {
  return <PageHeader title="Request" />;
}
