import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link, useSearchParams } from 'react-router'
import { expect, it } from 'vitest'
import { KeptOutlet } from '../src/app/kept-outlet.tsx'
import { renderRoutes } from './render.tsx'

const routes = [
  {
    Component: Frame,
    children: [
      { path: 'list', handle: { keepAlive: true }, Component: () => <Field name="List" /> },
      { path: 'form', Component: () => <Field name="Form" /> },
    ],
  },
]

it('finds a kept page as it was left, with its own address; others start afresh', async () => {
  const person = userEvent.setup()
  renderRoutes(routes, '/list?view=tiles')
  await person.type(screen.getByRole('textbox', { name: 'List tiles' }), 'knee')
  await person.click(screen.getByRole('link', { name: 'To the form' }))
  await person.type(await screen.findByRole('textbox', { name: 'Form' }), 'half')
  expect(screen.queryByRole('textbox', { name: 'List tiles' })).toBeNull()
  expect(screen.getByLabelText('List tiles')).not.toBeVisible()
  await person.click(screen.getByRole('link', { name: 'To the list' }))
  expect(await screen.findByRole('textbox', { name: 'List' })).toHaveValue('knee')
  await person.click(screen.getByRole('link', { name: 'To the form' }))
  expect(await screen.findByRole('textbox', { name: 'Form' })).toHaveValue('')
})

function Frame() {
  return (
    <>
      <Link to="/list">To the list</Link>
      <Link to="/form">To the form</Link>
      <KeptOutlet />
    </>
  )
}

function Field({ name }: { name: string }) {
  const [query] = useSearchParams()
  return <input aria-label={[name, query.get('view')].filter(Boolean).join(' ')} />
}
