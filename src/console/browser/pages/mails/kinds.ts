import type { PreviewQuery } from '../../../../features/notifications/schema.ts';

export type MailKind = PreviewQuery['kind'];

export const KINDS = [
  'confirmation',
  'change',
  'cancellation',
  'reminder',
  'enquiry',
  'rejection',
] as const satisfies readonly MailKind[];

export const kindOf = (text: string | null): MailKind =>
  KINDS.find((kind) => kind === text) ?? 'confirmation';
