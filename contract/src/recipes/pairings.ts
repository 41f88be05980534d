/** By what two files were found to belong together, from the safest on. Data only. */
export const pairings = ['same', 'unicode', 'case', 'mark', 'folder', 'number'] as const
export type Pairing = (typeof pairings)[number]
