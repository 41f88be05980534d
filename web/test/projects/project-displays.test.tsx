/** The ways in which a project's results are shown: what was chosen stays chosen while it is saved and read again. */
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { DisplayChoice } from '../../src/features/projects/display-choice.tsx'
import { useCall } from '../../src/lib/query.ts'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { makeProject } from '../runs/runs-make.ts'
import { serve } from '../serve.ts'

beforeEach(() => signIn(makeUser()))

it('a box that was cleared does not jump back before the project has been read again', async () => {
  let displays = makeProject().displays
  let asked = 0
  let answer = () => {}
  serve({
    'projects/detail': async () => {
      asked += 1
      if (asked > 1) await new Promise<void>((resolve) => (answer = resolve))
      return makeProject({ displays })
    },
    'projects/setDisplays': (body) => {
      displays = body.displays
      return makeProject({ displays })
    },
  })
  renderPart(<Choice />)
  const table = await screen.findByRole('checkbox', { name: /^Table by class/ })
  await userEvent.click(table)
  await waitFor(() => expect(asked).toBe(2))
  expect(table).not.toBeChecked()
  // Chosen while the first change is still being read.
  await userEvent.click(screen.getByRole('checkbox', { name: /^Confusion matrix/ }))
  await waitFor(() => expect(displays).toEqual(['labelled_pictures']))
  answer()
  await waitFor(() => expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(1))
})

function Choice() {
  const query = useCall('projects/detail', { id: 'project-1' })
  return query.data ? <DisplayChoice project={query.data} /> : null
}
