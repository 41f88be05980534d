/** Fills in the accounts' forms as a person does; fields are found by the ids that their labels point at. */
import { fireEvent, screen, waitFor } from '@testing-library/react'
import type userEvent from '@testing-library/user-event'
import { expect } from 'vitest'

export type Person = ReturnType<typeof userEvent.setup>

/** A field by its form's prefix and its name. */
export function field(form: string, name: string): HTMLInputElement | HTMLSelectElement {
  const found = document.getElementById(`${form}-${name}`)
  if (!(found instanceof HTMLInputElement || found instanceof HTMLSelectElement)) {
    throw new Error(`No field ${form}-${name}`)
  }
  return found
}

/** Writes and leaves a field. */
export function fill(form: string, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    const found = field(form, name)
    fireEvent.change(found, { target: { value } })
    fireEvent.blur(found)
  }
}

/** A country by the beginning of its name. */
export async function chooseCountry(person: Person, form: string, name: string, text: string): Promise<void> {
  await person.click(field(form, name))
  await person.clear(field(form, name))
  // At once: each letter would draw the long form and its list of countries anew.
  await person.paste(text)
  await person.keyboard('{Enter}')
}

export const problemAt = (form: string, name: string): string | null =>
  document.getElementById(`${form}-${name}-problem`)?.textContent ?? null

/** The slider, by keys alone. */
export async function drag(person: Person): Promise<void> {
  screen.getByRole('slider').focus()
  await person.keyboard('{End}')
  await waitFor(() => expect(screen.getByRole('slider')).toHaveAttribute('aria-valuenow', '100'))
  await waitFor(() => expect(screen.getByRole('slider')).toHaveAttribute('aria-disabled', 'true'))
}
