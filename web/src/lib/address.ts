/** Where the server's addresses begin, seen from this page. */

/** The application's own address without its last path segment: `/` and `/app/` both give `/`. */
export function rootOf(base: string): string {
  const segments = base.split('/').filter((segment) => segment !== '')
  return ['', ...segments.slice(0, -1), ''].join('/')
}

export const root = rootOf(import.meta.env.BASE_URL)
export const apiRoot = `${root}AI/api/`
