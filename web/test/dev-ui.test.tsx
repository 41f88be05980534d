import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { DevUi } from '../src/pages/dev-ui/dev-ui.tsx'
import { pieces } from '../src/pages/dev-ui/pieces.tsx'

test('every piece of ui is shown to those who build pages', () => {
  const ui = join(import.meta.dirname, '../src/ui')
  const files = readdirSync(ui, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'))
  expect(Object.keys(pieces).sort()).toEqual(files.sort())
})

test('the page of the pieces shows them', async () => {
  render(
    <MemoryRouter>
      <Suspense>
        <DevUi />
      </Suspense>
    </MemoryRouter>,
  )
  await screen.findByRole('heading', { name: 'tokens.ts' })
  for (const name of Object.keys(pieces)) expect(screen.getByRole('heading', { name })).toBeTruthy()
  expect(await screen.findByText(/This part does not work right now/)).toBeTruthy()
})
