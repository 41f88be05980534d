import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { TopBar } from '../src/app/top-bar.tsx'
import { setLanguage } from '../src/lib/i18n.ts'
import { makeSetting, signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { serve } from './serve.ts'

afterEach(() => void vi.restoreAllMocks())

async function open(address: string) {
  signIn()
  serve({ 'setting/public': () => makeSetting() })
  const Page = () => (
    <>
      <TopBar />
      <input aria-label="Note" />
    </>
  )
  renderPart(<Page />, address)
  await screen.findByRole('banner')
  return userEvent.setup()
}

/** Nothing is laid out here: the bar says that it is too full until the search has left it. */
function makeNarrow() {
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(function (this: HTMLElement) {
    return within(this).queryByRole('searchbox') === null ? 0 : 1
  })
}

it.each(['/', '{Control>}k{/Control}', '{Meta>}k{/Meta}', '{Control>}[KeyK]{/Control}'])(
  '%s leads to the search of the bar',
  async (keys) => {
    const person = await open('/projectHome')
    const box = await screen.findByRole('searchbox')
    await person.keyboard(keys)
    expect(box).toHaveFocus()
    expect(box).toHaveValue('')
  },
)

it.each(['/', '{Control>}k{/Control}'])(
  '%s leads to the search in the menu where the bar has no room',
  async (keys) => {
    makeNarrow()
    const person = await open('/projectHome')
    await screen.findByRole('button', { name: 'Menu' })
    await person.keyboard(keys)
    const menu = await screen.findByRole('dialog')
    await waitFor(() => expect(within(menu).getByRole('searchbox')).toHaveFocus())
    await person.keyboard('knee')
    expect(within(menu).getByRole('searchbox')).toHaveValue('knee')
  },
)

it.each([
  ['en', 'Keyboard shortcuts', 'Everywhere in the workspace'],
  ['zh', '键盘快捷键', '整个工作区'],
  ['ru', 'Сочетания клавиш', 'Во всём рабочем пространстве'],
] as const)('the question mark lists them in %s', async (language, title, everywhere) => {
  await setLanguage(language)
  const person = await open('/projectHome')
  await person.keyboard('?')
  const sheet = await screen.findByRole('dialog', { name: title })
  expect(within(sheet).getByRole('region', { name: everywhere })).toBeVisible()
  expect(within(sheet).getAllByRole('region')).toHaveLength(2)
})

it.each([
  ['/cloudHome', 'Image viewer', 'undo and redo'],
  ['/run?id=7', 'Images shown large', 'Previous or next image'],
  ['/labelling', 'Labelling editor', 'Choose a class'],
  ['/dripe', 'DRIPE editor', 'Undo'],
])('at %s the list has the %s as well', async (address, place, deed) => {
  const person = await open(address)
  await person.keyboard('?')
  const region = await screen.findByRole('region', { name: place })
  expect(await within(region).findByText(deed)).toBeVisible()
})

it('nothing happens while somebody types', async () => {
  const person = await open('/projectHome')
  const note = screen.getByRole('textbox', { name: 'Note' })
  await person.type(note, 'a/b?')
  await person.keyboard('{Control>}k{/Control}')
  expect(note).toHaveFocus()
  expect(note).toHaveValue('a/b?')
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('nothing happens while a dialog is open', async () => {
  const person = await open('/projectHome')
  await person.keyboard('?')
  const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  await person.keyboard('/{Control>}k{/Control}')
  expect(screen.getByRole('searchbox')).not.toHaveFocus()
  await person.click(within(sheet).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await person.keyboard('/')
  expect(screen.getByRole('searchbox')).toHaveFocus()
})

it.each(['/dripe?id=7', '/labelling?set=1&item=2'])('an editor keeps its own keys at %s', async (address) => {
  const person = await open(address)
  const box = await screen.findByRole('searchbox')
  await person.keyboard('?/')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(box).not.toHaveFocus()
  await person.keyboard('{Control>}k{/Control}')
  expect(box).toHaveFocus()
})

it('the list is also in the menu of the account', async () => {
  const person = await open('/projectHome')
  await person.click(await screen.findByRole('button', { name: 'Account of Radiology' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Keyboard shortcuts' }))
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

it('the list is also in the menu of narrow screens', async () => {
  makeNarrow()
  const person = await open('/projectHome')
  await person.click(await screen.findByRole('button', { name: 'Menu' }))
  await person.click(await screen.findByRole('button', { name: 'Keyboard shortcuts' }))
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})
