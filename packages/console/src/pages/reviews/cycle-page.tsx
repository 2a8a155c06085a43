import { PageHeader } from '../../parts/page-header.tsx';

export function CyclePage() {
  return <PageHeader title="Review" />;
}
