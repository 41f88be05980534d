/** Loads the page anew without losing work: whoever holds some puts it aside first. Decides nothing itself. */

type Keep = () => Promise<unknown>
const keepers = new Set<Keep>()
/** A broken line must not hold the page back. */
const mostMs = 3000

/** `keep` is done before the page goes; the answer takes it back. */
export function keepBeforeReload(keep: Keep): () => void {
  keepers.add(keep)
  return () => keepers.delete(keep)
}

export async function reload(): Promise<void> {
  const kept = Promise.allSettled([...keepers].map((keep) => keep()))
  await Promise.race([kept, new Promise((resolve) => setTimeout(resolve, mostMs))])
  window.location.reload()
}

const TRIED = 'reloadedAt'
/** What a fresh page does not repair, another one does not either. */
const AGAIN_MS = 60_000

/** Not twice in a minute, then people decide. */
export async function reloadOnce(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(TRIED) ?? 0) < AGAIN_MS) return
  sessionStorage.setItem(TRIED, String(Date.now()))
  await reload()
}
