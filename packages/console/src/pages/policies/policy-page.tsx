import { PageHeader } from '../../parts/page-header.tsx';

export function PolicyPage() {
  return <PageHeader title="Policy" />;
}
