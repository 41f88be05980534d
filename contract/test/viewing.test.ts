import { readFileSync } from 'node:fs'
import { conversionCheckSchema, conversionStateSchema } from '@neuroloom/contract/conversions'
import { languages } from '@neuroloom/contract/language'
import { viewNoteNames, viewReasonNames } from '@neuroloom/contract/viewing'
import { describe, expect, it } from 'vitest'

type Texts = Record<string, Record<string, unknown>>

const textsOf = (language: string): Texts =>
  // A file of ours, whose shape is what is tested here.
  JSON.parse(readFileSync(new URL(`../locales/${language}/viewing.json`, import.meta.url), 'utf8')) as Texts

/** Names between double braces, in one order. */
const paramsOf = (text: unknown): string[] =>
  [...String(text).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').sort()

/** A counted text has the forms of its own language alone. */
function isFormOf(language: string, name: string): boolean {
  const form = /_(zero|one|two|few|many|other)$/.exec(name)?.[1]
  const forms: readonly string[] = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  return form === undefined || forms.includes(form)
}

describe.each(languages)('the texts about images in %s', (language) => {
  const texts = textsOf(language)
  it('say something for every reason, note, state and check', () => {
    expect(Object.keys(texts.reasons ?? {}).sort()).toEqual([...viewReasonNames].sort())
    expect(Object.keys(texts.notes ?? {}).sort()).toEqual([...viewNoteNames].sort())
    expect(Object.keys(texts.states ?? {})).toEqual(
      expect.arrayContaining([...conversionStateSchema.options]),
    )
    const { what, state } = conversionCheckSchema.shape
    for (const name of what.options) {
      expect(Object.keys(texts.checks?.[name] ?? {}).sort()).toEqual([...state.options].sort())
    }
  })

  it('name no format where several have the reason', () => {
    // NIfTI and NumPy.
    expect(texts.reasons?.complex_values).not.toMatch(/NIfTI|NumPy/)
  })

  it('use the same params as the English ones', () => {
    const english = textsOf('en')
    for (const part of ['reasons', 'notes', 'why']) {
      for (const [name, text] of Object.entries(english[part] ?? {})) {
        if (!isFormOf(language, name)) continue
        expect([name, paramsOf(texts[part]?.[name])]).toEqual([name, paramsOf(text)])
      }
    }
  })
})
