import { PageHeader } from '../../parts/page-header.tsx';

export function NewPolicyPage() {
  return <PageHeader title="New policy" />;
}
