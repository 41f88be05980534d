import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ScrollRegion } from '../src/ui/scroll-region.tsx'

it('keeps the first column of a table with many columns in view on a phone, and Chinese headings whole', () => {
  render(
    <ScrollRegion name="Runs" className={undefined}>
      <table />
    </ScrollRegion>,
  )
  // Nothing is laid out here: the style sheet must still find what the region says of itself.
  const css = readFileSync(join(import.meta.dirname, '../src/ui/theme.css'), 'utf8')
  const selectors = [...css.matchAll(/\[(data-scrolls)\]/g)].map(([, name]) => name ?? '')
  expect(selectors).toHaveLength(2)
  for (const name of selectors) expect(screen.getByRole('region', { name: 'Runs' })).toHaveAttribute(name)
})
