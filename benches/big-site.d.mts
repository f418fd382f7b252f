/** The settings of the site. */
export const CONFIG: string
/** Paths and texts of a site of 5,000 sections and one rule, the same for one seed. */
export function bigSite(seed?: number): Record<string, string>
