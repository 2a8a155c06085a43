import { PageHeader } from '../../parts/page-header.tsx';

export function PoliciesPage() {
  return <PageHeader title="Policies" />;
}
