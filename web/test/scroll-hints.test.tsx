import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { TabLinks } from '../src/ui/tab-links.tsx'
import { renderPart } from './render.tsx'

const tabs = (['first', 'second', 'third', 'last'] as const).map((key) => ({
  key,
  label: key,
  to: `/?tab=${key}`,
}))

/** There is no layout here: each tab is 150 pixels wide, the row shows 300 of 600. */
function lay(row: HTMLElement): void {
  const sizes = { clientWidth: 300, scrollWidth: 600 }
  for (const [name, value] of Object.entries(sizes)) Object.defineProperty(row, name, { value })
  row.getBoundingClientRect = () => new DOMRect(0, 0, 300, 40)
  for (const [place, link] of [...row.children].entries())
    link.getBoundingClientRect = () => new DOMRect(place * 150 - row.scrollLeft, 0, 150, 40)
}

it('a row of tabs shows the one that is open, and at which sides there are more', async () => {
  renderPart(<TabLinks label="Parts" tabs={tabs} current="third" />)
  const row = await screen.findByRole('navigation', { name: 'Parts' })
  lay(row)
  act(() => void window.dispatchEvent(new Event('resize')))
  // In the middle, its neighbours in sight.
  expect(row.scrollLeft).toBe(225)
  expect(row.dataset.more).toBe('left right')
  row.scrollLeft = 0
  fireEvent.scroll(row)
  expect(row.dataset.more).toBe('right')
  row.scrollLeft = 300
  fireEvent.scroll(row)
  expect(row.dataset.more).toBe('left')
})
