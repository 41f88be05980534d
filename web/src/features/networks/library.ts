import { type Library, parseLibrary } from '@neuroloom/contract/network/library'

let loading: Promise<Library> | null = null

/** Catalogue, blocks and all networks of the product, read once, when somebody first needs them. */
export function loadLibrary(): Promise<Library> {
  loading ??= read().catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

async function read(): Promise<Library> {
  const { texts } = await import('./library-texts.ts')
  return parseLibrary(texts)
}
