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

/** From this number of values on a closed list has a search. */
export const SEARCHED = 9;
