/** Fetches the files of a part before the browser imports them: a browser remembers a failed import for good, a failed fetch is asked for anew at the next try. Every `import()` of a build goes through here (build/bringing.ts); it knows nothing of what is in the files. */

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
  const url = import.meta.env.BASE_URL + file
  const work = url.endsWith('.css') ? fetchStyle(url) : fetchScript(url)
  coming.set(file, work)
  work.catch(() => coming.delete(file))
  return work
}

/** Into the browser's cache, out of which the import takes it a moment later. */
async function fetchScript(url: string): Promise<void> {
  if (document.querySelector(`link[href="${url}"]`) !== null) return
  const response = await fetch(url).catch((cause: unknown) => {
    throw new LostPart(url, false, { cause })
  })
  if (!response.ok) throw new LostPart(url, response.status === 404)
  await response.arrayBuffer().catch((cause: unknown) => {
    throw new LostPart(url, false, { cause })
  })
}

async function fetchStyle(url: string): Promise<void> {
  if (document.querySelector(`link[rel="stylesheet"][href="${url}"]`) !== null) return
  await fetchScript(url)
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = url
  await new Promise((resolve, reject) => {
    link.onload = resolve
    link.onerror = () => {
      link.remove()
      reject(new LostPart(url, false))
    }
    document.head.append(link)
  })
}

/** The builder names no files where an import needs only one; its name stands in the import itself. */
const ownFile = (load: () => unknown): string[] => {
  const name = /import\(["'`]\.\/([^"'`]+)/.exec(String(load))?.[1]
  return name === undefined ? [] : [`assets/${name}`]
}
