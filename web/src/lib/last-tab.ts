/** The tab of a page that was left: who comes back by the bar finds it. Forgotten with the page load, never stored. */

const tabs = new Map<string, string>()

export function rememberTab({ pathname, search }: { pathname: string; search: string }): void {
  const tab = new URLSearchParams(search).get('tab')
  tabs.set(pathname, tab === null ? '' : `?tab=${encodeURIComponent(tab)}`)
}

/** The page's address as it was left. */
export const leftAt = (pathname: string): string => pathname + (tabs.get(pathname) ?? '')
