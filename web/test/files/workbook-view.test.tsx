import type { Workbook } from '@neuroloom/contract/viewing'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { WorkbookView } from '../../src/features/files/viewer/workbook-view.tsx'
import { renderPart } from '../render.tsx'

afterEach(() => vi.unstubAllGlobals())

const sheet = (name: string, rest: Partial<Workbook['sheets'][number]> = {}) => ({
  name,
  isHidden: false,
  rows: [],
  merged: [],
  isCut: false,
  ...rest,
})

function show(sheets: Workbook['sheets']) {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ sheets })))
  renderPart(<WorkbookView url="/bytes/a.json" />)
}

const cells = async () =>
  within(await screen.findByRole('table'))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)

it('shows the first sheet that its author shows, cells as text, and others by choice', async () => {
  show([
    sheet('Keys', { isHidden: true, rows: [['secret']] }),
    sheet('Doses', {
      rows: [
        ['<b>Name</b>', 'mg'],
        ['A', '5', '2023-03-15'],
      ],
      isCut: true,
    }),
    sheet('Notes'),
  ])
  expect(await cells()).toEqual(['', '<b>Name</b>', 'mg', '', 'A', '5', '2023-03-15'])
  expect(screen.getByRole('columnheader', { name: 'C' })).toBeInTheDocument()
  expect(screen.getByText(/Only the beginning of this sheet/)).toBeInTheDocument()
  const user = userEvent.setup()
  await user.click(screen.getByLabelText('Sheet'))
  await user.click(await screen.findByTitle('Keys (hidden in the workbook)'))
  expect(await cells()).toContain('secret')
  await user.click(screen.getByLabelText('Sheet'))
  await user.click(await screen.findByTitle('Notes'))
  expect(await screen.findByText('This sheet is empty.')).toBeInTheDocument()
})

it('draws cells that are one as one', async () => {
  show([
    sheet('A', {
      rows: [['Title'], ['a', 'b']],
      merged: [
        [0, 0, 1, 9],
        [0, 1, 2, 1],
      ],
    }),
  ])
  expect(await screen.findByRole('cell', { name: 'Title' })).toHaveAttribute('colspan', '2')
  expect(await cells()).toEqual(['', 'Title', 'a', 'b'])
})
