import i18next from 'i18next'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startSaving } from '../../src/features/networks/editor/autosave.ts'
import { type Journal, memoryJournal } from '../../src/features/networks/editor/journal.ts'
import { openNetwork } from '../../src/features/networks/editor/opening.ts'
import type { EditorStore } from '../../src/features/networks/editor/store.ts'
import { loadLibrary } from '../../src/features/networks/library.ts'
import { call } from '../../src/lib/api.ts'
import { Refusal, serve } from '../serve.ts'
import { makeEditor, makeFile } from './dripe-panels-make.tsx'

const stateOf = (store: EditorStore) => store.getState().saveState
const saved = { ...makeFile(), revision: 2 }

function rename(store: EditorStore, name: string): void {
  store.getState().edit((document) => ({ ...document, title: name }))
}

async function start(journal: Journal = memoryJournal()) {
  const store = await makeEditor()
  const saving = startSaving(store, {
    journal,
    send: (body) => call('networks/save', body, { quiet: true }),
  })
  return { store, saving, journal }
}

beforeEach(async () => {
  // Files are read by the real clock.
  await Promise.all([loadLibrary(), i18next.loadNamespaces(['errors', 'common'])])
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

describe('saving', () => {
  it('happens once, a while after the last change', async () => {
    const received = serve({ 'networks/save': () => saved })
    const { store } = await start()
    rename(store, 'one')
    await vi.advanceTimersByTimeAsync(1000)
    rename(store, 'two')
    await vi.advanceTimersByTimeAsync(1400)
    expect(received).toEqual([])
    expect(stateOf(store)).toBe('waiting')
    await vi.advanceTimersByTimeAsync(200)
    expect(received).toHaveLength(1)
    expect(received[0]?.body).toMatchObject({ id: 'network-1', revision: 1 })
    expect(String(received[0]?.body.text)).toContain('title: two')
    expect(stateOf(store)).toBe('saved')
  })

  it('goes on from the new revision', async () => {
    let revision = 1
    const received = serve({ 'networks/save': () => ({ ...saved, revision: ++revision }) })
    const { store, saving } = await start()
    rename(store, 'one')
    await saving.flush()
    rename(store, 'two')
    await saving.flush()
    expect(received.map(({ body }) => body.revision)).toEqual([1, 2])
  })

  it('is not needed when undo leads back to what is saved', async () => {
    const received = serve({ 'networks/save': () => saved })
    const { store } = await start()
    rename(store, 'one')
    store.getState().undo()
    await vi.advanceTimersByTimeAsync(5000)
    expect(received).toEqual([])
    expect(stateOf(store)).toBe('saved')
  })

  it('stops when the network was changed elsewhere, and loses nothing', async () => {
    const received = serve({
      'networks/save': () => {
        throw new Refusal('network_changed')
      },
    })
    const { store, journal } = await start()
    rename(store, 'mine')
    await vi.advanceTimersByTimeAsync(2000)
    expect(stateOf(store)).toBe('conflict')
    rename(store, 'mine still')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(received).toHaveLength(1)
    expect((await journal.read('network-1'))?.document.title).toBe('mine still')
  })

  it('hears at once of a save elsewhere, and takes its own for none', async () => {
    let revision = 1
    let answer = () => {}
    const received = serve({
      'networks/save': async () => {
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        return { ...saved, revision: ++revision }
      },
    })
    const { store, saving } = await start()
    rename(store, 'mine')
    const own = saving.flush()
    await vi.waitFor(() => expect(received).toHaveLength(1))
    // The news of a save comes by another way than its answer, and may come first.
    const heard = saving.heard(2)
    answer()
    await Promise.all([own, heard])
    expect(stateOf(store)).toBe('saved')
    rename(store, 'mine still')
    await saving.heard(3)
    expect(stateOf(store)).toBe('conflict')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(received).toHaveLength(1)
  })

  it('keeps what is new at once when the page is loaded anew or goes', async () => {
    serve({})
    const { store, saving, journal } = await start()
    rename(store, 'mine')
    expect(await journal.read('network-1')).toBeNull()
    window.dispatchEvent(new Event('pagehide'))
    await vi.advanceTimersByTimeAsync(0)
    expect((await journal.read('network-1'))?.document.title).toBe('mine')
    saving.stop()
  })

  it('keeps trying while the server cannot be reached', async () => {
    let isDown = true
    serve({ 'networks/save': () => saved })
    const answer = fetch
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (isDown) throw new TypeError('no line')
      return answer(url, init)
    })
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { store } = await start()
    rename(store, 'one')
    await vi.advanceTimersByTimeAsync(2000)
    expect(stateOf(store)).toBe('failed')
    isDown = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect(stateOf(store)).toBe('saved')
  })
})

describe('the journal', () => {
  it('has the newest state soon after each change, and nothing once it is saved', async () => {
    serve({ 'networks/save': () => saved })
    const { store, journal } = await start()
    rename(store, 'one')
    await vi.advanceTimersByTimeAsync(300)
    expect(await journal.read('network-1')).toMatchObject({ revision: 1, document: { title: 'one' } })
    await vi.advanceTimersByTimeAsync(3000)
    expect(await journal.read('network-1')).toBeNull()
  })

  it('forgets what the last save of a closing editor has saved', async () => {
    serve({ 'networks/save': () => saved })
    const { store, saving, journal } = await start()
    rename(store, 'one')
    const last = saving.flush()
    saving.stop()
    await last
    await vi.advanceTimersByTimeAsync(10)
    expect(await journal.read('network-1')).toBeNull()
  })

  it('is taken over when the network is opened again', async () => {
    const journal = memoryJournal()
    serve({
      'networks/open': () => makeFile(),
      'networks/save': () => new Promise<never>(() => undefined),
    })
    const { store } = await start(journal)
    rename(store, 'before the crash')
    await vi.advanceTimersByTimeAsync(300)
    const opened = await openNetwork('network-1', journal)
    expect(opened.unsaved?.text).toContain('title: before the crash')
    expect(opened.stale).toBeNull()
  })

  it('offers what was made from an older revision, until that is decided', async () => {
    const journal = memoryJournal()
    serve({ 'networks/open': () => makeFile({ revision: 7 }) })
    const { store } = await start(journal)
    rename(store, 'long ago')
    await vi.advanceTimersByTimeAsync(300)
    for (let turn = 0; turn < 2; turn++) {
      const opened = await openNetwork('network-1', journal)
      expect(opened.unsaved).toBeNull()
      expect(opened.stale?.text).toContain('title: long ago')
    }
  })
})
