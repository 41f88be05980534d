/** Steps that the server has not confirmed yet, in the browser's own database: a tab that dies takes nothing with it. */
import type { Step } from '@neuroloom/contract/labelling/steps'

export type KeptSteps = {
  keep: (readingId: string, steps: readonly Step[]) => Promise<void>
  /** In the order of their making. */
  left: (readingId: string) => Promise<Step[]>
  forget: (ids: readonly string[]) => Promise<void>
  close: () => void
}

const STEPS = 'steps'
type Row = { id: string; readingId: string; step: Step }

/** null: this browser keeps nothing (a private window), so the server alone does. */
export async function openKept(name = 'neuroloom-labelling'): Promise<KeptSteps | null> {
  try {
    const asked = indexedDB.open(name, 1)
    asked.onupgradeneeded = () => {
      const store = asked.result.createObjectStore(STEPS, { autoIncrement: true })
      store.createIndex('reading', 'readingId')
      store.createIndex('id', 'id', { unique: true })
    }
    return keptIn(await answerOf(asked))
  } catch {
    return null
  }
}

function keptIn(database: IDBDatabase): KeptSteps {
  // What comes while the database writes is written together: a transaction costs more than what is in it.
  const waiting: Row[] = []
  let isAsked = false
  let writing: Promise<void> = Promise.resolve()
  const add = async (rows: readonly Row[]): Promise<void> => {
    const deal = database.transaction(STEPS, 'readwrite', { durability: 'relaxed' })
    const store = deal.objectStore(STEPS)
    for (const row of rows) store.add(row)
    await ended(deal)
  }
  return {
    keep(readingId, steps) {
      waiting.push(...steps.map((step) => ({ id: step.id, readingId, step })))
      if (isAsked) return writing
      isAsked = true
      writing = writing
        .catch(() => undefined)
        .then(() => {
          isAsked = false
          return add(waiting.splice(0))
        })
      return writing
    },
    async left(readingId) {
      const store = database.transaction(STEPS).objectStore(STEPS)
      // What this very file wrote.
      const rows: Row[] = await answerOf(store.index('reading').getAll(readingId))
      return rows.map(({ step }) => step)
    },
    async forget(ids) {
      const deal = database.transaction(STEPS, 'readwrite', { durability: 'relaxed' })
      const store = deal.objectStore(STEPS)
      const keys = await Promise.all(ids.map((id) => answerOf(store.index('id').getKey(id))))
      for (const key of keys) if (key !== undefined) store.delete(key)
      await ended(deal)
    },
    close: () => database.close(),
  }
}

const answerOf = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })

const ended = (deal: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    deal.oncomplete = () => resolve()
    deal.onerror = () => reject(deal.error)
    deal.onabort = () => reject(deal.error)
  })
