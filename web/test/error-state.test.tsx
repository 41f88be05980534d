import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ErrorState } from '../src/ui/error-state.tsx'
import { renderPart } from './render.tsx'

const failure = (name: string) => Object.assign(new Error('It is gone.'), { name })

it.each([
  ['demand_missing', 'All demands', '/shopHome?tab=demands'],
  ['label_set_missing', 'All label sets', '/labelling'],
  ['study_missing', 'All flow studies', '/flow'],
  ['listing_missing', 'Model shop', '/shopHome'],
])('what is gone (%s) leads to the others of its kind, and no try is offered', (name, link, to) => {
  renderPart(<ErrorState error={failure(name)} retry={() => undefined} />)
  expect(screen.getByRole('link', { name: link })).toHaveAttribute('href', to)
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

it('what may come back is tried again', () => {
  renderPart(<ErrorState error={failure('unreachable')} retry={() => undefined} />)
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
})
