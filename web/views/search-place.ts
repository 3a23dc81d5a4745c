// What the address of the search view says.

export interface SearchPlace {
  readonly q?: string;
  readonly source?: string;
  readonly kind?: string;
  readonly as?: 'agent' | 'compare';
  readonly budget?: number;
}
