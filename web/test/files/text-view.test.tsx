import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { TextView } from '../../src/features/files/viewer/text-view.tsx'
import { renderPart } from '../render.tsx'

const user = userEvent.setup()

function show(kind: 'table' | 'text', hex: string) {
  const bytes = Buffer.from(hex, 'hex')
  vi.stubGlobal('fetch', async () => new Response(bytes))
  renderPart(<TextView url="/bytes/a" kind={kind} sizeBytes={bytes.length} />)
}

const read = async (alphabet: string) => {
  await user.click(screen.getByRole('combobox', { name: 'Alphabet' }))
  await user.click(await screen.findByTitle(alphabet))
}

it.each([
  ['gb18030', '病例,年龄', 'b2a1c0fd2cc4eac1e4'],
  ['ibm866', 'Снимок,Возраст', '91ada8acaeaa2c82aea7e0a0e1e2'],
  ['windows-1251', 'Снимок,Возраст', 'd1ede8eceeea2cc2eee7f0e0f1f2'],
  ['utf-8', 'Снимок,病例', 'd0a1d0bdd0b8d0bcd0bed0ba2ce79785e4be8b'],
])('reads a table in %s by itself', async (_alphabet, line, hex) => {
  show('table', hex)
  const table = within(await screen.findByRole('table'))
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(line.split(','))
})

it('reads a text in another alphabet when somebody knows better', async () => {
  // Two capitals, or one Chinese character.
  show('text', 'cad2')
  await screen.findByRole('combobox', { name: 'Alphabet' })
  await read('Cyrillic, Windows (CP1251)')
  expect(await screen.findByText('КТ')).toBeInTheDocument()
  await read('Chinese, simplified (GB18030)')
  expect(await screen.findByText('室')).toBeInTheDocument()
})

it('asks nothing where all letters are plain', async () => {
  show('text', Buffer.from('plain').toString('hex'))
  expect(await screen.findByText('plain')).toBeInTheDocument()
  expect(screen.queryByRole('combobox')).toBeNull()
})
