/** Public addresses without their language; the tutorials lie below theirs. Every first visit loads this. */
export const topPaths = [
  '/',
  '/description',
  '/tool',
  '/scenes',
  '/step',
  '/tutorial',
  '/about',
  '/consult',
  '/concat',
] as const
