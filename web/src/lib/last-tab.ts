/** The tab of a page that was left: who comes back by the bar finds it. Forgotten with the session and the page load, never stored. */

/** What pages call their tabs in the address. */
const names = ['tab', 'part'] as const
const tabs = new Map<string, string>()

export function rememberTab({ pathname, search }: { pathname: string; search: string }): void {
  const query = new URLSearchParams(search)
  const name = names.find((one) => query.has(one))
  tabs.set(pathname, name === undefined ? '' : `?${name}=${encodeURIComponent(query.get(name) ?? '')}`)
}

export const forgetTabs = (): void => tabs.clear()

/** The page's address as it was left; its beginning for who is there, at `here`. */
export const leftAt = (pathname: string, here?: string): string =>
  pathname === here ? pathname : pathname + (tabs.get(pathname) ?? '')
