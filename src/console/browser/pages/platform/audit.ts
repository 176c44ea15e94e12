import { html } from 'htm/preact';
import { AuditView } from '../../components/audit/audit-view.ts';

/** The audit log of the platform: what belongs to no operator. */
const PlatformAudit = () => html`<${AuditView} base="/manage/audit" />`;
export default PlatformAudit;
