/** The newest unsaved state of each network, kept in this browser: what a crash or a closed window would lose. */
import type { Document } from '@neuroloom/contract/network/document/document'
import type { Layout } from '@neuroloom/contract/network/layout/file'

export interface JournalEntry {
  /** Of the network. */
  id: string
  /** What the state was made from. */
  revision: number
  document: Document
  layout: Layout
  /** What `document` was last read from, with its comments. */
  text: string
  /** Milliseconds. */
  at: number
}

export interface Journal {
  read: (id: string) => Promise<JournalEntry | null>
  write: (entry: JournalEntry) => Promise<void>
  remove: (id: string) => Promise<void>
}

/** A browser that keeps no data loses a crash's work and nothing else. */
export function openJournal(): Journal {
  return typeof indexedDB === 'undefined' ? memoryJournal() : databaseJournal()
}

export function memoryJournal(): Journal {
  const entries = new Map<string, JournalEntry>()
  return {
    read: async (id) => entries.get(id) ?? null,
    write: async (entry) => void entries.set(entry.id, entry),
    remove: async (id) => void entries.delete(id),
  }
}

const name = 'neuroloom-networks'
const table = 'unsaved'

function databaseJournal(): Journal {
  let opening: Promise<IDBDatabase> | null = null
  const open = () => {
    opening ??= openDatabase().catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }
  const inTable = async <T>(mode: IDBTransactionMode, work: (rows: IDBObjectStore) => IDBRequest<T>) => {
    const database = await open()
    return answered(work(database.transaction(table, mode).objectStore(table)))
  }
  return {
    // Written by this file alone.
    read: async (id) => ((await inTable('readonly', (rows) => rows.get(id))) as JournalEntry) ?? null,
    write: async (entry) => void (await inTable('readwrite', (rows) => rows.put(entry))),
    remove: async (id) => void (await inTable('readwrite', (rows) => rows.delete(id))),
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: 'id' })
  return answered(request)
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
