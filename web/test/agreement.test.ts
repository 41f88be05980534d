import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = `${import.meta.dirname}/../public/agreement/`
const madeFrom: Record<string, string> = JSON.parse(readFileSync(`${folder}made-from.json`, 'utf8'))

describe('the printed agreement', () => {
  it.each([
    ['en', 'English'],
    ['zh', 'Chinese'],
    ['ru', 'Russian'],
  ])('in %s was made from the text of today (else: npm run agreement)', (language, name) => {
    const text = readFileSync(`${import.meta.dirname}/../src/locales/${language}/agreement.json`)
    const file = `Neuroloom-Agreement-${name}.pdf`
    expect(madeFrom[file]).toBe(createHash('sha256').update(text).digest('hex'))
    expect(readFileSync(folder + file, 'latin1').startsWith('%PDF-')).toBe(true)
    expect(statSync(folder + file).size).toBeLessThan(300_000)
  })
})
