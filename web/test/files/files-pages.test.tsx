import type { Entry } from '@neuroloom/contract/files'
import type { View } from '@neuroloom/contract/viewing'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { CloudFile } from '../../src/pages/cloud/cloud-file.tsx'
import { CloudHome } from '../../src/pages/cloud/cloud-home.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

beforeEach(() => signIn())

describe('the cloud home', () => {
  it('shows folders with what is in them and how full the storage is', async () => {
    serveCloud([makeEntry({ name: 'Chest', sizeBytes: 3 * 1024 ** 2, fileCount: 1200 })])
    renderPart(<CloudHome />)
    const row = await screen.findByRole('row', { name: /Chest/ })
    expect(within(row).getByRole('link', { name: 'Chest' })).toHaveAttribute('href', '/cloudFile?id=Chest')
    expect(row).toHaveTextContent('3 MB · 1,200 files')
    expect(screen.getByText('512 MB of 1 GB used')).toBeVisible()
  })

  it('explains itself while it is empty, with one way to upload', async () => {
    serveCloud([])
    renderPart(<CloudHome />)
    expect(await screen.findByRole('heading', { name: 'Keep your images here' })).toBeVisible()
    expect(screen.getAllByRole('button', { name: 'Upload a folder' })).toHaveLength(1)
    expect(screen.getAllByRole('button', { name: 'Upload files' })).toHaveLength(1)
  })

  it('says what failed and loads again when asked', async () => {
    let isBroken = true
    serve({
      ...size,
      'files/list': () => {
        if (isBroken) throw new Refusal('internal')
        return makePage([makeEntry({ name: 'Chest' })])
      },
    })
    renderPart(<CloudHome />)
    const retry = await screen.findByRole('button', { name: 'Try again' })
    isBroken = false
    await userEvent.click(retry)
    expect(await screen.findByRole('link', { name: 'Chest' })).toBeVisible()
  })

  it('makes a folder, and says at the field when the name is taken', async () => {
    const { received } = serveCloud([makeEntry({ name: 'Chest' })])
    renderPart(<CloudHome />)
    await screen.findByRole('link', { name: 'Chest' })
    const person = userEvent.setup()
    await person.click(screen.getByRole('button', { name: 'New folder' }))
    const field = screen.getByRole('textbox', { name: 'Folder name' })
    await person.type(field, 'Chest{Enter}')
    await screen.findByText('This name is already in use here. Choose another name.')
    await person.clear(field)
    await person.type(field, ' Hand ')
    await person.click(screen.getByRole('button', { name: 'Create folder' }))
    expect(await screen.findByRole('link', { name: 'Hand' })).toBeVisible()
    expect(received.filter(({ path }) => path === 'files/createFolder').at(-1)?.body).toEqual({
      parentId: null,
      name: 'Hand',
    })
  })

  it('renames in place by keyboard, keeps the field on a refusal, and Escape gives up', async () => {
    serveCloud([makeEntry({ name: 'Chest' }), makeEntry({ name: 'Hand' })])
    renderPart(<CloudHome />)
    const person = userEvent.setup()
    const rename = async (name: string) => {
      await person.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
      await person.click(await screen.findByRole('menuitem', { name: 'Rename' }))
      return screen.findByRole('textbox', { name: `New name for ${name}` })
    }
    const field = await rename('Chest')
    await person.clear(field)
    await person.type(field, 'Hand{Enter}')
    expect(await screen.findByText('This name is already in use here. Choose another name.')).toBeVisible()
    expect(field).toHaveValue('Hand')
    await person.clear(field)
    await person.type(field, 'Thorax{Enter}')
    expect(await screen.findByRole('link', { name: 'Thorax' })).toBeVisible()

    const other = await rename('Hand')
    await person.type(other, ' more{Escape}')
    expect(screen.getByRole('link', { name: 'Hand' })).toBeVisible()
  })

  it.each([
    ['plain.zip', null],
    ['old.zip', 'windows-1251'],
  ])('asks how an archive’s names are read only where they leave a choice: %s', async (name, chosen) => {
    const readings = [
      { encoding: 'gb18030' as const, names: ['室.txt'] },
      { encoding: 'windows-1251' as const, names: ['КТ.txt'] },
    ]
    const { received } = serveCloud([makeEntry({ name, kind: 'file' })], {
      'files/archiveNames': () => ({
        samples: chosen === null ? null : { guess: 'gb18030' as const, readings },
      }),
      'files/unpack': () => {
        throw new Refusal('unpack_running')
      },
    })
    renderPart(<CloudHome />)
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
    await person.click(await screen.findByRole('menuitem', { name: 'Unpack' }))
    if (chosen !== null) {
      const dialog = await screen.findByRole('dialog')
      expect(dialog).toHaveTextContent('Unpack old.zip')
      expect(dialog).toHaveTextContent('室.txt')
      await person.click(within(dialog).getByRole('combobox', { name: 'Names are written in' }))
      await person.click(await screen.findByText('Cyrillic, Windows (CP1251)'))
      expect(dialog).toHaveTextContent('КТ.txt')
      await person.click(within(dialog).getByRole('button', { name: 'Unpack' }))
    }
    const asked = () => received.filter(({ path }) => path === 'files/unpack').map(({ body }) => body)
    await waitFor(() => expect(asked()).toEqual([{ id: name, encoding: chosen }]))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('deletes at once and brings back by undo', async () => {
    const { received } = serveCloud([makeEntry({ name: 'Chest' }), makeEntry({ name: 'Hand' })])
    renderPart(<CloudHome />)
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Actions for Chest' }))
    await person.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Chest' })).toBeNull())
    expect(screen.getByText('1 item deleted. You can bring it back for 7 days.')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByRole('link', { name: 'Chest' })).toBeVisible()
    expect(received.find(({ path }) => path === 'files/restore')?.body).toEqual({ ids: ['Chest'] })
  })

  it('searches on the server and tells when nothing is found', async () => {
    serveCloud([makeEntry({ name: 'Chest' }), makeEntry({ name: 'Hand' })])
    renderPart(<CloudHome />)
    const person = userEvent.setup()
    await person.type(await screen.findByRole('textbox', { name: 'Search in this folder' }), 'ha')
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Chest' })).toBeNull())
    expect(screen.getByRole('link', { name: 'Hand' })).toBeVisible()
    await person.type(screen.getByRole('textbox', { name: 'Search in this folder' }), 'zz')
    expect(await screen.findByText('Nothing here is called “hazz”')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Show everything' }))
    expect(await screen.findByRole('link', { name: 'Chest' })).toBeVisible()
  })
})

describe('a folder', () => {
  it('deletes several files together', async () => {
    const { received } = serveCloud(
      ['a.png', 'b.png', 'c.png'].map((name) => makeEntry({ name, kind: 'file' })),
    )
    renderPart(<CloudFile />, '/cloudFile?id=folder-1')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('checkbox', { name: 'Select a.png' }))
    await person.click(screen.getByRole('checkbox', { name: 'Select c.png' }))
    expect(screen.getByText('2 selected')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'a.png' })).toBeNull())
    expect(screen.getByRole('button', { name: 'b.png' })).toBeVisible()
    expect(received.find(({ path }) => path === 'files/remove')?.body).toEqual({ ids: ['a.png', 'c.png'] })
    expect(screen.queryByText(/selected/)).toBeNull()
  })

  it('opens a picture large, and leads to the files beside it, whatever they are', async () => {
    serveCloud(['a.png', 'notes.txt', 'b.dcm'].map((name) => makeEntry({ name, kind: 'file' })))
    renderPart(<CloudFile />, '/cloudFile?id=folder-1')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'a.png' }))
    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByRole('img', { name: 'a.png' })).toHaveAttribute('src', '/bytes/a.png')
    expect(dialog).toHaveTextContent('1 of 3')
    await person.keyboard('{PageDown}')
    await within(dialog).findByText('notes.txt')
    await person.click(screen.getByRole('button', { name: 'Next file' }))
    await within(dialog).findByText('This file cannot be opened')
    expect(dialog).toHaveTextContent('The file is empty. Upload it again from where it came from.')
    expect(within(dialog).getByRole('button', { name: 'Next file' })).toBeDisabled()
  })

  it('stays in the address while it is open: going back closes it, and the address opens it again', async () => {
    serveCloud([makeEntry({ name: 'a.png', kind: 'file' }), makeEntry({ name: 'b.png', kind: 'file' })])
    const { router } = renderPart(<CloudHome />, '/cloudHome')
    await userEvent.click(await screen.findByRole('button', { name: 'a.png' }))
    expect(await screen.findByRole('dialog')).toHaveTextContent('a.png')
    expect(router.state.location.search).toBe('?file=a.png')
    await userEvent.keyboard('{PageDown}')
    await waitFor(() => expect(screen.getByRole('dialog')).toHaveTextContent('b.png'))
    await act(() => router.navigate(-1))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await act(() => router.navigate('/cloudHome?file=b.png'))
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('b.png')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(router.state.location.search).toBe(''))
  })

  it('has an address of its own, which leads to its folder, or shows what was shared by itself', async () => {
    const entry = makeEntry({ name: 'a.png', kind: 'file' })
    const properties = (owner: string, path: { id: string; name: string }[]) => ({
      ...{ entry, path, access: 'view' as const, folderCount: 0, sha256: 'x', publicAt: null, datasets: [] },
      place: { kind: owner === '' ? ('own' as const) : ('shared' as const), groupId: null, owner },
    })
    let found = properties('', [{ id: 'F', name: 'Folder' }])
    serveCloud([entry], { 'files/properties': () => found })
    const inFolder = renderPart(<CloudFile />, '/cloudFile?file=a.png')
    await waitFor(() => expect(inFolder.router.state.location.search).toBe('?id=F&file=a.png'))
    inFolder.unmount()
    found = properties('Ada', [])
    renderPart(<CloudFile />, '/cloudFile?file=a.png')
    expect(await screen.findByRole('heading', { name: 'a.png' })).toBeVisible()
    expect(await screen.findByText('of Ada')).toBeVisible()
  })

  it('may be dropped anywhere on the page', async () => {
    serveCloud([makeEntry({ name: 'Chest' })])
    renderPart(<CloudHome />)
    await screen.findByRole('link', { name: 'Chest' })
    const hint = () => screen.queryByText('Drop files or folders to upload them to “Cloud storage”')
    const dataTransfer = { types: ['Files'] }
    fireEvent.dragEnter(document.body, { dataTransfer })
    expect(hint()).not.toBeNull()
    fireEvent.dragLeave(document.body, { dataTransfer })
    expect(hint()).toBeNull()
    fireEvent.dragEnter(document.body, { dataTransfer: { types: ['text/plain'] } })
    expect(hint()).toBeNull()
    const files = Array.from({ length: 201 }, (_, index) => new File(['x'], `${index}.txt`))
    fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], items: [], files } })
    expect(await screen.findByRole('dialog')).toHaveTextContent('201 single files are too many at once')
  })

  it('loads the next page by itself and shows where the folder lies', async () => {
    const first = makePage([makeEntry({ name: 'a.png', kind: 'file' })], { next: 'a.png', total: 2 })
    const second = makePage([makeEntry({ name: 'b.png', kind: 'file' })], { total: 2 })
    serve({ ...size, 'files/list': ({ after }) => (after ? second : first) })
    renderPart(<CloudFile />, '/cloudFile?id=folder-1')
    expect(await screen.findByRole('button', { name: 'b.png' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'a.png' })).toBeVisible()
    const way = within(screen.getByRole('navigation', { name: 'Where this folder is' }))
    expect(way.getByRole('link', { name: 'Cloud storage' })).toHaveAttribute('href', '/cloudHome')
  })

  it('selects a row of files with Shift, all with Ctrl+A, none with Escape', async () => {
    serveCloud(['a.png', 'b.png', 'c.png', 'd.png'].map((name) => makeEntry({ name, kind: 'file' })))
    renderPart(<CloudFile />, '/cloudFile?id=folder-1')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('checkbox', { name: 'Select a.png' }))
    await person.keyboard('{Shift>}')
    await person.click(screen.getByRole('checkbox', { name: 'Select c.png' }))
    await person.keyboard('{/Shift}')
    expect(screen.getByText('3 selected')).toBeVisible()
    await person.keyboard('{Control>}a{/Control}')
    expect(screen.getByText('4 selected')).toBeVisible()
    await person.keyboard('{Escape}')
    expect(screen.queryByText(/selected/)).toBeNull()
  })

  it('moves what is selected into another folder, and asks about taken names once', async () => {
    const { received } = serveCloud([
      makeEntry({ name: 'Archive' }),
      makeEntry({ name: 'taken.png', kind: 'file' }),
    ])
    renderPart(<CloudFile />, '/cloudFile?id=folder-1')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('checkbox', { name: 'Select taken.png' }))
    await person.click(screen.getByRole('button', { name: 'Move …' }))
    const dialog = await screen.findByRole('dialog', { name: 'Move “taken.png” to …' })
    await person.click(await within(dialog).findByRole('button', { name: /Archive/ }))
    const button = within(dialog).getByRole('button', { name: /Move here/ })
    await waitFor(() => expect(button).toBeEnabled())
    await person.click(button)
    const question = await screen.findByRole('dialog', { name: '1 name is already in use there' })
    await person.click(within(question).getByRole('radio', { name: /Keep both/ }))
    await person.click(within(question).getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'taken.png' })).toBeNull())
    const moves = received.filter(({ path }) => path === 'files/move').map(({ body }) => body)
    expect(moves).toEqual([
      { ids: ['taken.png'], targetId: 'Archive', sameName: 'ask' },
      { ids: ['taken.png'], targetId: 'Archive', sameName: 'rename' },
    ])
  })

  it('moves nothing into a folder that is not shown yet', async () => {
    const entry = makeEntry({ name: 'a.png', kind: 'file' })
    let arrive = (): void => undefined
    serve({
      ...size,
      'files/list': ({ folderId }) => {
        const page = makePage([makeEntry({ name: 'Archive' }), entry])
        if (folderId !== 'Archive') return page
        return new Promise((resolve) => {
          arrive = () => resolve({ ...page, entries: [] })
        })
      },
    })
    renderPart(<CloudFile />, '/cloudFile?id=folder-1')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('checkbox', { name: 'Select a.png' }))
    await person.click(screen.getByRole('button', { name: 'Move …' }))
    const dialog = await screen.findByRole('dialog', { name: 'Move “a.png” to …' })
    const button = within(dialog).getByRole('button', { name: /Move here/ })
    await waitFor(() => expect(button).toBeEnabled())
    await person.click(within(dialog).getByRole('button', { name: /Archive/ }))
    expect(button).toBeDisabled()
    arrive()
    await waitFor(() => expect(button).toBeEnabled())
  })

  it('orders by a heading, and the other way round by the same one', async () => {
    const { received } = serveCloud([makeEntry({ name: 'a.png', kind: 'file' })])
    renderPart(<CloudFile />, '/cloudFile?id=folder-1')
    const person = userEvent.setup()
    const heading = await screen.findByRole('columnheader', { name: 'Size' })
    await person.click(within(heading).getByRole('button'))
    await waitFor(() => expect(received.at(-1)?.body).toMatchObject({ sort: 'size', descending: false }))
    await person.click(within(heading).getByRole('button'))
    await waitFor(() => expect(received.at(-1)?.body).toMatchObject({ sort: 'size', descending: true }))
    expect(heading).toHaveAttribute('aria-sort', 'descending')
  })

  it('that somebody shared for viewing offers nothing that would change it', async () => {
    const entry = makeEntry({ name: 'a.png', kind: 'file' })
    const place = { kind: 'shared' as const, groupId: null, owner: 'Radiology' }
    serve({
      ...size,
      'files/list': () => ({ ...makePage([entry], { withheld: 2 }), access: 'view' as const, place }),
    })
    renderPart(<CloudFile />, '/cloudFile?id=folder-1')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Actions for a.png' }))
    const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    expect(items).toEqual(['Download', 'Copy …', 'Convert …', 'Black out burned-in text …', 'Properties'])
    expect(screen.queryByRole('button', { name: 'New folder' })).toBeNull()
    expect(screen.getByText('of Radiology')).toBeVisible()
    expect(screen.getByText(/2 files are withheld here: they may name their patients/)).toBeVisible()
  })

  it('shows pictures instead of rows and remembers it', async () => {
    serveCloud([makeEntry({ name: 'a.png', kind: 'file', thumbnail: '/thumb/a' })])
    const { unmount } = renderPart(<CloudFile />, '/cloudFile?id=folder-1')
    await userEvent.click(await screen.findByTitle('Images'))
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.getByRole('button', { name: 'a.png' })).toBeVisible()
    unmount()
    renderPart(<CloudFile />, '/cloudFile?id=folder-1')
    await screen.findByRole('button', { name: 'a.png' })
    expect(screen.queryByRole('table')).toBeNull()
  })
})

const size = { 'user/size': () => ({ storageSize: 512 * 1024 ** 2, storageLimit: 1024 ** 3 }) }

function makeEntry({ name, kind = 'folder', ...more }: Partial<Entry> & { name: string }): Entry {
  const type = kind === 'file' ? (name.split('.').at(-1) ?? '') : ''
  return {
    id: name,
    kind,
    name,
    type,
    sizeBytes: 2048,
    fileCount: 0,
    modifiedAt: '2026-11-20T08:00:00.000Z',
    modifiedBy: 'Radiology',
    shared: false,
    thumbnail: '/thumb',
    ...more,
  }
}

function makePage(entries: Entry[], more: { next?: string; total?: number; withheld?: number } = {}) {
  const folder = { id: 'folder-1', name: 'Scans' }
  const place = { kind: 'own' as const, groupId: null, owner: '' }
  return {
    folder,
    path: [folder],
    access: 'own' as const,
    place,
    entries,
    next: null,
    total: entries.length,
    withheld: 0,
    ...more,
  }
}

/** A cloud that remembers what is done to it. */
function serveCloud(start: Entry[], more: Parameters<typeof serve>[0] = {}) {
  let entries = start
  let removed: Entry[] = []
  const refuseTaken = (name: string) => {
    if (entries.some((entry) => entry.name === name)) throw new Refusal('name_taken')
  }
  const received = serve({
    ...size,
    'files/list': ({ search = '' }) =>
      makePage(entries.filter(({ name }) => name.toLowerCase().includes(search))),
    'files/createFolder': ({ name }) => {
      refuseTaken(name)
      entries = [...entries, makeEntry({ name })]
      return makeEntry({ name })
    },
    'files/rename': ({ id, name }) => {
      refuseTaken(name)
      entries = entries.map((entry) => (entry.id === id ? makeEntry({ ...entry, id: name, name }) : entry))
      return makeEntry({ name })
    },
    'files/remove': ({ ids }) => {
      removed = entries.filter(({ id }) => ids.includes(id))
      entries = entries.filter(({ id }) => !ids.includes(id))
      return { removed: ids.length, recycleDays: 7 }
    },
    'files/restore': ({ ids }) => {
      entries = [...entries, ...removed]
      return { restored: ids.length }
    },
    'files/open': ({ id }) => ({ url: `/bytes/${id}`, name: id, sizeBytes: 2048 }),
    'files/view': ({ id }) => makeView(id),
    'files/move': ({ ids, sameName }) => {
      if (sameName === 'ask' && ids.includes('taken.png')) return { conflicts: ['taken.png'], done: 0 }
      entries = entries.filter(({ id }) => !ids.includes(id))
      return { conflicts: [], done: ids.length }
    },
    ...more,
  })
  return { received }
}

/** Pictures and texts are shown; anything else of this cloud is empty. */
function makeView(id: string): View {
  const kind = id.endsWith('.png') ? 'picture' : id.endsWith('.txt') ? 'text' : 'broken'
  return {
    id,
    name: id,
    type: id.split('.').at(-1) ?? '',
    sizeBytes: 2048,
    kind,
    state: 'ready',
    reason: kind === 'broken' ? { name: 'empty', params: {} } : null,
    url: kind === 'broken' ? null : `/bytes/${id}`,
    facts: null,
    notes: [],
    series: null,
    tags: [],
    patient: null,
    tagsHidden: false,
  }
}
