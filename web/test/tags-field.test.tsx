/** Several short texts in one field: the same one twice is refused, and it is said. */
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { TagsField } from '../src/features/accounts/fields/tags-field.tsx'
import { setLanguage } from '../src/lib/i18n.ts'
import { renderPart } from './render.tsx'

it.each([
  ['en', '“cells” is there already. Enter another one.'],
  ['zh', '“cells”已经填写过，请换一个。'],
  ['ru', '«cells» уже есть. Введите другое.'],
] as const)('a tag that is there already is refused in words: %s', async (language, message) => {
  await setLanguage(language)
  renderPart(<Tags />)
  const field = await screen.findByRole('textbox')
  await userEvent.type(field, 'cells;heart;')
  expect(screen.queryByText(message)).toBeNull()
  await userEvent.type(field, 'cells{Enter}')
  expect(await screen.findByText(message)).toBeVisible()
  expect(screen.getByTestId('value')).toHaveTextContent(/^cells;heart$/)
  await userEvent.type(field, 'lungs{Enter}')
  expect(screen.queryByText(message)).toBeNull()
  expect(screen.getByTestId('value')).toHaveTextContent('cells;heart;lungs')
})

function Tags() {
  const [value, setValue] = useState('')
  return (
    <>
      <TagsField
        id="tags"
        label="Keywords"
        value={value}
        problem={null}
        onChange={setValue}
        onBlur={() => {}}
      />
      <output data-testid="value">{value}</output>
    </>
  )
}
