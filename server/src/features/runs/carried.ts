import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CarriedCode, carriedFiles } from '@neuroloom/contract/recipes/carried'

/** From `server/src/features/runs` as well as from `server/bundle/features/runs`. */
const engineFolder = fileURLToPath(new URL('../../../../engine', import.meta.url))

/** What replays a recipe in programs that people take away: the engine's own files. */
export const carriedPaths = carriedFiles.map((name) => ({ name, path: join(engineFolder, name) }))

export async function carriedCode(): Promise<CarriedCode> {
  const texts = carriedPaths.map(async ({ name, path }) => [name, await readFile(path, 'utf8')] as const)
  return Object.fromEntries(await Promise.all(texts))
}
