/** Fetches the files of a part before the browser imports them: a browser remembers a failed import for good, a failed preload is asked for anew at the next try. Every `import()` of a build goes through here (build/bringing.ts); it knows nothing of what is in the files. */

/** A file of a part did not come. `isGone`: the server has it no longer, because a newer version runs there. */
export class LostPart extends Error {
  readonly isGone: boolean

  constructor(file: string, isGone: boolean, options?: ErrorOptions) {
    super(`${file} did not come`, options)
    this.isGone = isGone
  }
}

/** `files`: what the import needs, from the root of the site, styles too; without any the import's own file is all. */
export async function bring<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  const own = ownFile(load)
  await Promise.all((files.length > 0 ? files : own).map(fetchOnce))
  try {
    return await load()
  } catch (error) {
    // It came a moment ago, so the line broke in between; under another address it is asked for anew.
    const [file] = own
    if (file === undefined || !(error instanceof TypeError)) throw error
    return import(/* @vite-ignore */ `${import.meta.env.BASE_URL}${file}?again=${Date.now()}`)
  }
}

/** For what has no place of its own to tell that it did not come: it waits until the line is back. */
export async function lastingly<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const mayCome = error instanceof LostPart ? !error.isGone : error instanceof TypeError
    if (!mayCome) throw error
    await lineIsBack()
    return lastingly(load)
  }
}

/** Not every browser tells. */
const AGAIN_MS = 5000

function lineIsBack(): Promise<unknown> {
  return new Promise((resolve) => {
    window.addEventListener('online', resolve, { once: true })
    setTimeout(resolve, AGAIN_MS)
  })
}

const coming = new Map<string, Promise<unknown>>()

function fetchOnce(file: string): Promise<unknown> {
  const known = coming.get(file)
  if (known !== undefined) return known
  const work = fetchLinked(import.meta.env.BASE_URL + file)
  coming.set(file, work)
  work.catch(() => coming.delete(file))
  return work
}

/** Of which a link failed: the browser remembers that of a preload, too. */
const lost = new Set<string>()

/**
 * A script is preloaded, since the import then takes the very bytes; after `fetch` it asks for each file once more, which
 * cost a page of the workspace 0.7 s of a core instead of 0.4. A style is in its place when it is there.
 */
async function fetchLinked(href: string): Promise<void> {
  if (document.querySelector(`link:is([rel=stylesheet],[rel$=preload])[href="${href}"]`) !== null) return
  const isStyle = href.endsWith('.css')
  const given = isStyle ? { rel: 'stylesheet' } : { rel: 'preload', as: 'script', crossOrigin: '' }
  if (!lost.has(href) && (await isLinked({ ...given, href }))) return
  lost.add(href)
  // A link does not say why it failed.
  const answer = await fetch(href).catch(() => null)
  const bytes = answer?.ok && (await answer.arrayBuffer().catch(() => null))
  if (!bytes || (isStyle && !(await isLinked({ ...given, href }))))
    throw new LostPart(href, answer?.status === 404)
}

const isLinked = (given: Partial<HTMLLinkElement>): Promise<boolean> =>
  new Promise((resolve) => {
    const link = document.createElement('link')
    const onerror = () => {
      link.remove()
      resolve(false)
    }
    document.head.append(Object.assign(link, given, { onload: () => resolve(true), onerror }))
  })

/** The builder names no files where an import needs only one; its name stands in the import itself. */
const ownFile = (load: () => unknown): string[] => {
  const name = /import\(["'`]\.\/([^"'`]+)/.exec(String(load))?.[1]
  return name === undefined ? [] : [`assets/${name}`]
}
