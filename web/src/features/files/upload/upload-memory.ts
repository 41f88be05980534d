/** Remembers, in this browser, where the files of unfinished uploads lie; only the member's own, only handles. */
type Remembered = { batch: string; userId: string; handles: FileSystemHandle[]; packed: string | null }

const NAME = 'neuroloom-uploads'
const STORE = 'batches'

export async function remember(entry: Remembered): Promise<void> {
  await run('readwrite', (store) => store.put(entry)).catch(() => undefined)
}

export async function forget(batch: string): Promise<void> {
  await run('readwrite', (store) => store.delete(batch)).catch(() => undefined)
}

/** What this member left here. What others left is gone for good: nobody may come upon it. */
export async function recall(userId: string): Promise<Map<string, Remembered>> {
  try {
    // Nothing else writes into this store.
    const all = (await run('readonly', (store) => store.getAll())) as Remembered[]
    for (const { batch } of all.filter((one) => one.userId !== userId)) await forget(batch)
    return new Map(all.filter((one) => one.userId === userId).map((one) => [one.batch, one]))
  } catch {
    // Private windows may have no store.
    return new Map()
  }
}

async function run<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await open()
  try {
    return await settled(ask(db.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    db.close()
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'batch' })
  return settled(request)
}

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
