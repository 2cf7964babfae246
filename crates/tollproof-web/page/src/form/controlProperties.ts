// What every control of a field takes.

import type { Field, Finding } from 'tollproof';
import type { Json } from '../draft/pointer';

export interface ControlProperties {
  field: Field;
  id: string;
  value: Json | undefined;
  findings: readonly Finding[];
  describedBy: string;
}

/** The keyboard of a phone that fits a field. */
export function keyboardOf({ type, role }: Field): 'email' | 'numeric' | 'tel' | 'text' | 'url' {
  if (type === 'integer') return 'numeric';
  if (/email/i.test(role ?? '')) return 'email';
  if (/url|website/i.test(role ?? '')) return 'url';
  return /phone/i.test(role ?? '') ? 'tel' : 'text';
}
